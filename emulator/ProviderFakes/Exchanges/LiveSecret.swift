package import Core

/// A text that looks like a real key or access token.
package struct LiveSecret: Sendable, CustomStringConvertible {
  /// The form of a kind of secret: its prefix, and the characters after the prefix.
  private struct Form: Sendable {
    var name: String
    var prefix: String
    var minimumLength: Int
    /// The characters that the secret may contain besides letters and digits.
    var others: String
    /// A Boolean value that indicates whether the prefix must begin a word: no letter or digit
    /// precedes it.
    var standsAlone = true
    /// The minimum number of dots in the secret; a JSON Web Token has two.
    var dots = 0
  }

  private static let forms = [
    Form(name: "a JSON Web Token", prefix: "eyJ", minimumLength: 30, others: "-_.", dots: 2),
    Form(name: "a language model's key", prefix: "sk-", minimumLength: 20, others: "-_"),
    Form(name: "a Google API key", prefix: "AIza", minimumLength: 35, others: "-_"),
    Form(name: "a Google access token", prefix: "ya29.", minimumLength: 15, others: "-_."),
    Form(name: "a GitHub token", prefix: "ghp_", minimumLength: 36, others: ""),
    Form(name: "a GitHub token", prefix: "github_pat_", minimumLength: 22, others: "_"),
    Form(
      name: "a device's FCM token",
      prefix: ":APA91b",
      minimumLength: 100,
      others: "-_",
      standsAlone: false
    ),
    Form(
      name: "a private key",
      prefix: "PRIVATE KEY-----",
      minimumLength: 0,
      others: "",
      standsAlone: false
    ),
  ]

  private let form: Form

  /// The kind of secret, for error messages. The secret itself is left out.
  package var description: String { form.name }

  /// Returns the first secret in a text, or `nil` if there is none.
  package static func first(in text: Data) -> LiveSecret? {
    text.withUnsafeBytes { bytes in
      forms.first { isFound($0, in: bytes) }.map(LiveSecret.init)
    }
  }

  private static func isFound(_ form: Form, in text: UnsafeRawBufferPointer) -> Bool {
    let prefix = Array(form.prefix.utf8)
    let others = Array(form.others.utf8)
    var start = 0
    while start + prefix.count <= text.count {
      // Most bytes are compared only once.
      guard text[start] == prefix[0], prefix.indices.allSatisfy({ text[start + $0] == prefix[$0] })
      else {
        start += 1
        continue
      }
      var end = start + prefix.count
      var dots = 0
      while end < text.count, text[end].isLetterOrDigit || others.contains(text[end]) {
        if text[end] == UInt8(ascii: ".") { dots += 1 }
        end += 1
      }
      let isAlone = !form.standsAlone || start == 0 || !text[start - 1].isLetterOrDigit
      if isAlone, end - start - prefix.count >= form.minimumLength, dots >= form.dots {
        return true
      }
      start += prefix.count
    }
    return false
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
