/// What regions and scripts come to where a text is translated.
extension Language {
  /// The language as Google Translation knows it: it has no regions and scripts but those in which
  /// it writes otherwise. Languages of which this is the same share one translation.
  var asTranslated: Language {
    let subtags = code.split(separator: "-").dropFirst()
    switch base {
    case "zh": return Language(canonical: isTraditional(subtags) ? "zh-TW" : "zh-CN")
    // Outside America they write as Portugal does; without a region it is Brazil.
    case "pt":
      let isAmerican = subtags.allSatisfy { ["BR", "419", "Latn"].contains($0) }
      return Language(canonical: isAmerican ? "pt" : "pt-PT")
    case "fr": return Language(canonical: subtags.contains("CA") ? "fr-CA" : "fr")
    case "ms": return Language(canonical: subtags.contains("Arab") ? "ms-Arab" : "ms")
    case "pa":
      let isArabic = subtags.contains("Arab") || subtags == ["PK"]
      return Language(canonical: isArabic ? "pa-Arab" : "pa")
    case "mni": return Language(canonical: "mni-Mtei")
    case let base: return Language(canonical: base)
    }
  }

  /// A script says it; else the region does.
  private func isTraditional(_ subtags: ArraySlice<Substring>) -> Bool {
    subtags.contains("Hant")
      || !subtags.contains("Hans") && subtags.contains { ["TW", "HK", "MO"].contains($0) }
  }

  /// Whether a reader of one can read the other as it is: a region differs, or a script of a language
  /// whose people read both, as Serbs do.
  package func isReadable(as other: Language) -> Bool {
    guard base == other.base else { return false }
    switch base {
    case "zh", "ms", "pa": return asTranslated == other.asTranslated
    default: return true
    }
  }
}
