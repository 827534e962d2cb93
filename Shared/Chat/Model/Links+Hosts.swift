extension Links {
  /// Whether there is a host's name or address, or one of mail.
  static func hasHost(_ token: ArraySlice<Unicode.Scalar>) -> Bool {
    // Whatever can't be in a host ends it, such as the colon of `see:example.com`.
    token.split { !isOfHost($0) && $0 != "@" }.contains { run in
      let parts = run.split(separator: "@", omittingEmptySubsequences: false)
      return parts.contains(where: isHost) || parts.dropFirst().contains(where: isMailHost)
    }
  }

  private static func isOfHost(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "." || scalar == "-" || scalar == "\u{200C}" || scalar == "\u{200D}"
      || scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal
      || scalar.properties.canonicalCombiningClass != .notReordered
  }

  /// Two labels or more of which one but the first can be a top-level domain, or four octets.
  private static func isHost(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
    text.starts(with: "www.".unicodeScalars)
      || names(in: text).contains { isAddress($0) || $0.dropFirst().contains(where: isTopLevel) }
  }

  /// Behind an at sign any name will do that isn't a number.
  private static func isMailHost(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
    names(in: text).contains { $0.last?.contains(where: \.properties.isAlphabetic) == true }
  }

  /// What may be a host by its form: the labels of each. Two dots in a row end it.
  private static func names(
    in text: ArraySlice<Unicode.Scalar>
  ) -> [ArraySlice<ArraySlice<Unicode.Scalar>>] {
    text.split(separator: ".", omittingEmptySubsequences: false)
      .split(whereSeparator: \.isEmpty)
      .filter { $0.count > 1 }
  }

  private static func isAddress(_ labels: ArraySlice<ArraySlice<Unicode.Scalar>>) -> Bool {
    labels.count == 4
      && labels.allSatisfy { label in
        guard label.count <= 3, label.allSatisfy(\.isASCII) else { return false }
        return UInt8(String(String.UnicodeScalarView(label))) != nil
      }
  }

  /// A letter and something behind it, whether a domain is called so today or not. Where no space
  /// parts words anything could stand behind a dot: there only names that are in use count.
  private static func isTopLevel(_ label: ArraySlice<Unicode.Scalar>) -> Bool {
    let name = label.prefix { !$0.isOfUnspacedScript }
    guard let first = name.first else {
      return (2...5).contains {
        unspacedDomains.contains(String(String.UnicodeScalarView(label.prefix($0))))
      }
    }
    return first.properties.isAlphabetic
      && name.count { $0.properties.canonicalCombiningClass == .notReordered } >= 2
  }

  /// Source: the root zone database of IANA, the commonest of each script.
  private static let unspacedDomains = Set(
    """
    中国 中國 公司 网络 網絡 香港 台湾 台灣 澳門 澳门 新加坡 网址 网站 在线 中文网 集团 商城 商标 手机 移动 信息 娱乐 游戏
    新闻 购物 餐厅 网店 企业 世界 健康 时尚 公益 政务 机构 我爱你 招聘 八卦 嘉里 微博 广东 佛山
    コム みんな ストア セール ファッション クラウド グーグル ポイント アマゾン 한국 닷컴 닷넷 삼성 ไทย คอม ລາວ
    """.split { $0 == " " || $0 == "\n" }.map(String.init)
  )
}
