package import Core

/// A language that translation providers support, given by a code of the form
/// `language[-Script][-REGION]`, such as `it`, `pt-BR` or `zh-Hant`.
///
/// The languages are those of Google Cloud Translation's NMT model. Some languages have two codes
/// in use. Equal languages must share a cache, so one code is canonical: `he` (not `iw`), `id` (not
/// `in`), `fil` (not `tl`), `no` (not `nb`). Only the form of script and region is checked.
package struct Language: Hashable, Sendable, CustomStringConvertible {
  /// The whole code in canonical case.
  package let code: String

  /// The code without script and region.
  package var base: String { String(code.prefix { $0 != "-" }) }

  package var description: String { code }

  /// Creates a language from a code in any letter case, with hyphens or underscores.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the form is wrong or no provider supports the language. The
  ///   error quotes the code, made safe for a log.
  package init(_ text: String) throws(StatusError) {
    guard let code = Language.canonicalCode(text) else {
      throw StatusError(.invalidArgument, "unknown language code \"\(Language.printable(text))\"")
    }
    self.code = code
  }

  /// Creates a language from a field of a call.
  ///
  /// - Throws: `INVALID_ARGUMENT` with the field's name.
  package init(_ text: String, member: String) throws(StatusError) {
    do throws(StatusError) {
      self = try Language(text)
    } catch {
      throw StatusError(.invalidArgument, "\(member): \(error.message)")
    }
  }

  /// Creates a language from a canonical code.
  init(canonical code: String) { self.code = code }

  private static func canonicalCode(_ text: String) -> String? {
    let longest = "hmn-Latn-419".utf8.count
    guard text.utf8.count <= longest, text.isASCII else { return nil }
    var subtags = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }[...]
    let language = subtags.removeFirst().lowercased()
    let base = aliases[language] ?? language
    guard knownBases.contains(base) else { return nil }
    var code = base
    if let script = subtags.first, script.count == 4, script.allSatisfy(\.isLetter) {
      code += "-" + script.prefix(1).uppercased() + script.dropFirst().lowercased()
      subtags.removeFirst()
    }
    if let region = subtags.first {
      let isCountry = region.count == 2 && region.allSatisfy(\.isLetter)
      let isArea = region.count == 3 && region.allSatisfy(\.isNumber)
      guard isCountry || isArea else { return nil }
      code += "-" + region.uppercased()
      subtags.removeFirst()
    }
    return subtags.isEmpty ? code : nil
  }

  /// Returns at most 35 scalars of a client's text, without those that could break a log line or
  /// change its direction.
  ///
  /// RFC 5646 expects tags of at most 35 characters.
  private static func printable(_ text: String) -> String {
    let scalars = text.unicodeScalars.lazy.filter { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: false
      default: true
      }
    }
    return String(String.UnicodeScalarView(scalars.prefix(35)))
  }
}
