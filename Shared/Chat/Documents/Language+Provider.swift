/// The regions and scripts that matter for translation.
extension Language {
  /// The language with its code in Google Translation. The code has a region or script only if
  /// the written language depends on it.
  ///
  /// Languages with the same value share one translation.
  var asTranslated: Language {
    let subtags = code.split(separator: "-").dropFirst()
    switch base {
    case "zh": return Language(canonical: isTraditional(subtags) ? "zh-TW" : "zh-CN")
    // Portuguese outside America follows Portugal; without a region it is Brazilian.
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

  /// Returns a Boolean value that indicates whether the subtags of a Chinese code mean traditional
  /// characters. A script takes precedence over a region.
  private func isTraditional(_ subtags: ArraySlice<Substring>) -> Bool {
    subtags.contains("Hant")
      || !subtags.contains("Hans") && subtags.contains { ["TW", "HK", "MO"].contains($0) }
  }

  /// Returns a Boolean value that indicates whether a reader of one language can read the other.
  ///
  /// The languages may differ in region. They may also differ in script if readers read both
  /// scripts, as in Serbian.
  package func isReadable(as other: Language) -> Bool {
    guard base == other.base else { return false }
    switch base {
    case "zh", "ms", "pa": return asTranslated == other.asTranslated
    default: return true
    }
  }
}
