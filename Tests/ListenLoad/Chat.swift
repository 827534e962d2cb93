import Core
import FirestoreProtos
import NIOCore
import SwiftProtobuf

/// The requests of the load: commits of messages, and queries for the newest messages.
struct Chat: Sendable {
  static let database = "projects/demo-load/databases/(default)"
  let collections: Int
  let limit: Int

  private func parent(_ collection: Int) -> String {
    "\(Self.database)/documents/conversations/c\(collection)"
  }

  /// Returns a commit of a message.
  ///
  /// - Parameter mark: the value of an additional field `mark`, or `nil` if the text contains the
  ///   mark.
  func commit(
    text: String,
    mark: String? = nil,
    number: Int,
    to collection: Int
  ) throws -> [UInt8] {
    let request = ProtoCommitRequest.with {
      $0.database = Self.database
      $0.writes = [
        .with {
          $0.update.name = "\(parent(collection))/messages/m\(number)"
          $0.update.fields = [
            "text": .with { $0.stringValue = text },
            "senderId": .with { $0.stringValue = "sarah\(collection)" },
            "number": .with { $0.integerValue = Int64(number) },
            "status": .with { $0.stringValue = "sent" },
          ]
          guard let mark else { return }
          $0.update.fields["mark"] = .with { $0.stringValue = mark }
          $0.update.fields["language"] = .with { $0.stringValue = "en" }
          $0.updateTransforms = [
            .with {
              $0.fieldPath = "timestamp"
              $0.setToServerValue = .requestTime
            }
          ]
        }
      ]
    }
    return try request.serializedBytes()
  }

  func listen(to collection: Int) -> ProtoListenRequest {
    .with {
      $0.database = Self.database
      $0.addTarget.targetID = 2
      $0.addTarget.query.parent = parent(collection)
      $0.addTarget.query.structuredQuery = .with {
        $0.from = [.with { $0.collectionID = "messages" }]
        $0.orderBy = [
          .with {
            $0.field.fieldPath = "number"
            $0.direction = .descending
          }
        ]
        if limit > 0 { $0.limit.value = Int32(limit) }
      }
    }
  }
}

/// A mark in a message: the commit's number, and the time of sending by the monotonic clock.
struct Mark {
  private static let sign = Array("mark:".utf8)
  private static let width = 20

  let number: Int
  let sent: UInt64

  init(number: Int) {
    self.number = number
    sent = NIODeadline.now().uptimeNanoseconds
  }

  var text: String {
    let digits = String(sent)
    let zeros = String(repeating: "0", count: Self.width - digits.count)
    return "mark:\(zeros)\(digits)\(number) Break a leg at your interview tomorrow!"
  }

  /// Reads the mark in an encoded message. Returns `nil` if the message has none.
  init?(in bytes: UnsafeRawBufferPointer) {
    guard let start = Self.end(of: Self.sign, in: bytes) else { return nil }
    let digits = bytes[start...]
    sent = Self.number(digits.prefix(Self.width))
    number = Int(Self.number(digits.dropFirst(Self.width)))
  }

  /// Returns the index after the sign of the first mark, or `nil` if there is none.
  static func end(in bytes: UnsafeRawBufferPointer) -> Int? { end(of: sign, in: bytes) }

  /// Returns a Boolean value that indicates whether a message in JSON says that a target is current.
  static func isCurrent(_ bytes: UnsafeRawBufferPointer) -> Bool {
    end(of: current, in: bytes) != nil
  }

  private static let current = Array("\"CURRENT\"".utf8)

  /// Returns the index after a byte sequence, or `nil` if the bytes don't contain it.
  ///
  /// It uses `memchr`, because it runs for every received message.
  private static func end(of sign: [UInt8], in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    var start = 0
    while start + sign.count <= bytes.count,
      let found = memchr(base + start, Int32(sign[0]), bytes.count - sign.count - start + 1)
    {
      start = UnsafeRawPointer(found) - base
      if memcmp(found, sign, sign.count) == 0 { return start + sign.count }
      start += 1
    }
    return nil
  }

  /// Returns a Boolean value that indicates whether an encoded message has translations.
  static func isTranslated(_ bytes: UnsafeRawBufferPointer) -> Bool {
    end(of: translations, in: bytes) != nil
  }

  private static let translations = Array("translationMeta".utf8)

  /// Returns the number that the leading digits represent.
  private static func number(_ digits: Slice<UnsafeRawBufferPointer>) -> UInt64 {
    digits.prefix { (48...57).contains($0) }.reduce(0) { $0 &* 10 &+ UInt64($1 - 48) }
  }
}
