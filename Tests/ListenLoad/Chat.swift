import FirestoreProtos
import NIOCore
import SwiftProtobuf

/// The requests: messages written to conversations, and queries for the newest of them.
struct Chat: Sendable {
  static let database = "projects/demo-load/databases/(default)"
  let collections: Int
  let limit: Int

  private func parent(_ collection: Int) -> String {
    "\(Self.database)/documents/conversations/c\(collection)"
  }

  func commit(text: String, number: Int, to collection: Int) throws -> [UInt8] {
    let request = ProtoCommitRequest.with {
      $0.database = Self.database
      $0.writes = [
        .with {
          $0.update.name = "\(parent(collection))/messages/m\(number)"
          $0.update.fields = [
            "text": .with { $0.stringValue = text },
            "senderId": .with { $0.stringValue = "sarah" },
            "number": .with { $0.integerValue = Int64(number) },
            "status": .with { $0.stringValue = "sent" },
          ]
        }
      ]
    }
    return try request.serializedBytes()
  }

  func listen(to collection: Int) throws -> [UInt8] {
    let request = ProtoListenRequest.with {
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
    return try request.serializedBytes()
  }
}

/// What a message's text says: its number, and when it was sent by the monotonic clock.
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

  /// The mark in an encoded message; nil if it has none.
  init?(in bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.firstRange(of: Self.sign)?.upperBound else { return nil }
    let sent = bytes[start...].prefix(Self.width)
    let number = bytes[start...].dropFirst(Self.width).prefix { (48...57).contains($0) }
    guard let sent = UInt64(String(decoding: sent, as: UTF8.self)),
      let number = Int(String(decoding: number, as: UTF8.self))
    else { return nil }
    self.sent = sent
    self.number = number
  }
}
