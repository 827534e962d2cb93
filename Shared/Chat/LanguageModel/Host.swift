/// The recognizer of host names and IP addresses.
enum Host {
  /// Returns the kind of finding for a full stop between two parts of a run, or `nil` if the full
  /// stop is plain text.
  ///
  /// - Parameters:
  ///   - left: the index of the last scalar before the full stop.
  ///   - right: the index of the first scalar after it.
  static func kind(of run: [Unicode.Scalar], _ left: Int, _ right: Int) -> PlainText.Kind? {
    let part = run[right...].prefix { $0.isOfWord }
    let label = part.prefix { !$0.isOfUnspacedScript }
    guard let first = label.first else {
      if isUnspacedDomain(part) { return .link }
      // The part after the full stop begins in a script without spaces. After a word in another
      // script, it may be a domain that isn't in the list, except in Korean, which appends
      // particles to abbreviations. Otherwise it is the next sentence, or a name after an initial.
      let isWord = run[...left].suffix(2).allSatisfy {
        $0.properties.isAlphabetic && !$0.isOfUnspacedScript
      }
      let isKorean = (0xAC00...0xD7A3).contains(run[right].value)
      return isWord && left > 0 && !isKorean ? .glued : nil
    }
    // An IP address in hexadecimal digits.
    if first == "0", label.dropFirst().first.map({ $0 == "x" || $0 == "X" }) == true {
      return .link
    }
    // A top-level domain doesn't begin with a digit and has more than one letter.
    guard first.properties.isAlphabetic else { return nil }
    let before = run[...left].suffix(4).reversed().prefix { $0.isOfWord }
    let isPage = PlainText.lowercased(before) == ["w", "w", "w"]
    guard isPage || letters(label) >= 2 else { return nil }
    let goesOn = part.endIndex < run.endIndex && "/:@#".unicodeScalars.contains(run[part.endIndex])
    if !isPage, Abbreviations.contains(run) || !goesOn && areInitials(run[...left], of: first) {
      return nil
    }
    // A capital letter begins a sentence or a name, unless the label is a common domain.
    let isSentence = label.prefix(16).contains(where: \.properties.isUppercase) && !isCommon(label)
    return isSentence && !goesOn ? .glued : .link
  }

  private static func letters(_ label: ArraySlice<Unicode.Scalar>) -> Int {
    label.prefix(16).count { $0.properties.canonicalCombiningClass == .notReordered }
  }

  /// Returns a Boolean value that indicates whether the beginning of a run consists of initials or
  /// a title before a name, as in `А.Пушкин` and `د.أحمد`.
  ///
  /// Initials in ASCII don't count, since they could be a short host name.
  private static func areInitials(_ run: ArraySlice<Unicode.Scalar>, of name: Unicode.Scalar)
    -> Bool
  {
    run.count < 10 && !name.isASCII && !name.properties.isLowercase
      && run.split(separator: ".").allSatisfy { part in
        guard part.count == 1, let letter = part.first else { return false }
        return letter.properties.isAlphabetic && !letter.isASCII
      }
  }

  /// Returns a Boolean value that indicates whether a run contains an IPv4 address.
  static func hasAddress(_ run: [Unicode.Scalar]) -> Bool {
    run.split { $0 != "." && !("0"..."9").contains($0) }.contains { numbers in
      let octets = numbers.split(separator: ".", omittingEmptySubsequences: false)
      return octets.count == 4
        && octets.allSatisfy { octet in
          (1...3).contains(octet.count) && UInt8(String(String.UnicodeScalarView(octet))) != nil
        }
    }
  }

  // MARK: Domains

  /// Returns a Boolean value that indicates whether a label is one of the most common top-level
  /// domains.
  static func isCommon(_ label: ArraySlice<Unicode.Scalar>) -> Bool {
    label.count <= 4
      && domains.contains(String(String.UnicodeScalarView(PlainText.lowercased(label))))
  }

  /// The most common top-level domains that aren't words.
  static let domains: Set<String> = [
    "com", "org", "net", "edu", "gov", "info", "biz", "io", "ai", "app", "dev", "tv", "eu", "uk",
    "fr", "ru", "jp", "cn", "kr", "br", "pl", "ch", "nl", "se", "mx", "ar", "pt", "tr", "gl", "ly",
  ]

  /// Returns a Boolean value that indicates whether the part after a dot begins with one of
  /// `unspacedDomains`.
  ///
  /// Any other word can follow the domain without a space.
  private static func isUnspacedDomain(_ part: ArraySlice<Unicode.Scalar>) -> Bool {
    (2...6).contains {
      unspacedDomains.contains(String(String.UnicodeScalarView(part.prefix($0))))
    }
  }

  /// The most common top-level domains of each script without spaces.
  ///
  /// Source: IANA's root zone database.
  private static let unspacedDomains = Set(
    """
    中国 中國 公司 网络 網絡 香港 台湾 台灣 澳門 澳门 新加坡 网址 网站 在线 中文网 集团 商城 商标 手机 移动 信息 娱乐 游戏 新闻 购物 餐厅 网店 企业 世界 健康 时尚 公益
    政务 机构 我爱你 招聘 八卦 嘉里 微博 广东 佛山 コム みんな ストア セール ファッション クラウド グーグル ポイント アマゾン 한국 닷컴 닷넷 삼성 ไทย คอม ລາວ 臺灣
    商店 食品 政府 组织机构 中信 亚马逊 大拿 天主教 家電 慈善 書籍 淡马锡 点看 珠宝 联通 谷歌 通販 電訊盈科 飞利浦 香格里拉 嘉里大酒店
    """.split { $0 == " " || $0 == "\n" }.map(String.init)
  )
}
