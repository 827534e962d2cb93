import Chat
import Core
import FirestoreModel

/// The people whom a message mentions, by the field `mentions` or by `@name` in its text.
///
/// In the text, a mention is `@` and a person's user id or display name, without regard to the case
/// of ASCII letters. No ASCII letter or digit precedes it, as in an e-mail address, and no letter,
/// digit, mark or underscore follows it. A display name of more than 128 bytes is never mentioned.
struct Mentions {
  private static let longestName = 128
  private static let maximumCount = 50

  private let uids: Set<String>
  /// The beginnings of the texts after each `@`, in lower case.
  private let tails: [[UInt8]]

  /// Finds the places of mentions; only the first 50 count.
  init(in message: Message) {
    uids = Set((message.document.fields["mentions"]?.arrayValue ?? []).compactMap(\.userID))
    let text = Array(message.text.utf8)
    var tails: [[UInt8]] = []
    for (index, byte) in text.enumerated() where byte == UInt8(ascii: "@") {
      guard tails.count < Self.maximumCount else { break }
      guard index == 0 || !Self.isAlphanumeric(text[index - 1]) else { continue }
      // Four bytes more show the character after the longest name.
      tails.append(text[(index + 1)...].prefix(Self.longestName + 4).map(Self.lowercased))
    }
    self.tails = tails
  }

  /// Returns whether the message mentions a user.
  func contains(_ uid: String, displayName: String?) -> Bool {
    uids.contains(uid) || names(uid) || displayName.map(names) == true
  }

  private func names(_ name: String) -> Bool {
    guard !tails.isEmpty, name.utf8.count <= Self.longestName, Message.hasText(name) else {
      return false
    }
    let name = name.utf8.map(Self.lowercased)
    return tails.contains { tail in
      tail.starts(with: name) && Self.isEnd(tail.dropFirst(name.count))
    }
  }

  /// Returns whether a name ends before the given text.
  private static func isEnd(_ text: ArraySlice<UInt8>) -> Bool {
    guard let next = String(decoding: text, as: UTF8.self).unicodeScalars.first else { return true }
    switch next.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .nonspacingMark, .spacingMark, .enclosingMark:
      return false
    default: return next != "_"
    }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(lowercased(byte))
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }
}
