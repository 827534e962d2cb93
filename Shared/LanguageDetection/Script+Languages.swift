extension Script {
  /// Returns the scripts of a language, or `nil` for an unknown language.
  ///
  /// - Parameter base: a language's code without script and region, in lower case.
  static func scripts(of base: String) -> Set<Script>? {
    if let scripts = severalScripts[base] { return scripts }
    if latinLanguages.contains(base) { return [.latin] }
    return languages[base].map { [$0] }
  }

  private static let severalScripts: [String: Set<Script>] = [
    "ja": [.kana, .han], "sr": [.cyrillic, .latin], "az": [.latin, .cyrillic, .arabic],
    "uz": [.latin, .cyrillic], "kk": [.cyrillic, .latin, .arabic], "tk": [.latin, .cyrillic],
    "tt": [.cyrillic, .latin], "ku": [.latin, .arabic], "pa": [.other, .arabic],
    "sd": [.arabic, .devanagari],
  ]

  private static let languages: [String: Script] = [
    "el": .greek, "ru": .cyrillic, "uk": .cyrillic, "be": .cyrillic, "bg": .cyrillic,
    "mk": .cyrillic, "ky": .cyrillic, "tg": .cyrillic, "mn": .cyrillic, "he": .hebrew,
    "iw": .hebrew, "yi": .hebrew, "ar": .arabic, "fa": .arabic, "ur": .arabic, "ps": .arabic,
    "hi": .devanagari, "mr": .devanagari, "ne": .devanagari, "th": .thai, "ko": .hangul,
    "zh": .han, "yue": .han,
  ]

  private static let latinLanguages: Set<String> = [
    "en", "es", "it", "fr", "pt", "de", "nl", "pl", "sv", "tr", "ro", "id", "af", "ca", "cs", "cy",
    "da", "et", "eu", "fi", "fil", "ga", "gl", "hr", "hu", "is", "lt", "lv", "ms", "mt", "nb", "no",
    "sk", "sl", "sq", "sw", "tl", "vi",
  ]
}
