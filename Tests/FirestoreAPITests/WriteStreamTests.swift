import Core
import FirestoreAPI
import FirestoreModel
import FirestoreProtos
import SwiftProtobuf
import Testing

struct WriteStreamTests {
  private let firestore = Firestore()

  /// Returns a stream that has completed its handshake, and its token.
  private func begun() async throws -> (session: WriteSession, token: Data) {
    var session = WriteSession(firestore.service, firestore.context)
    let response = try await session.respond(to: .with { $0.database = Firestore.database })
    #expect(!response.streamID.isEmpty && !response.streamToken.isEmpty)
    #expect(response.writeResults.isEmpty && !response.hasCommitTime)
    return (session, response.streamToken)
  }

  @Test func `commits are answered in order`() async throws {
    var (session, token) = try await begun()
    var last = Google_Protobuf_Timestamp()
    for number in 0..<3 {
      let response = try await session.respond(
        to: .with {
          $0.streamToken = token
          $0.writes = [.with { $0.update = .named("c/a", ["v": .integer(Int64(number))]) }]
        }
      )
      #expect(response.streamID.isEmpty && response.streamToken != token)
      #expect(response.writeResults.count == 1)
      #expect((last.seconds, last.nanos) < (response.commitTime.seconds, response.commitTime.nanos))
      (last, token) = (response.commitTime, response.streamToken)
    }
    #expect(try firestore.get("c/a").fields["v"]?.integerValue == 2)
  }

  @Test func `a request without writes is answered as well`() async throws {
    var (session, token) = try await begun()
    let response = try await session.respond(to: .with { $0.streamToken = token })
    #expect(!response.streamToken.isEmpty && response.writeResults.isEmpty)
  }

  @Test func `a document can be verified`() async throws {
    try firestore.set("c/a")
    var (session, token) = try await begun()
    let request = { (exists: Bool) in
      ProtoWriteRequest.with {
        $0.streamToken = token
        $0.writes = [
          .with {
            $0.verify = Firestore.name("c/a")
            $0.currentDocument.exists = exists
          }
        ]
      }
    }
    #expect(try await session.respond(to: request(true)).writeResults.count == 1)
    let error = await #expect(throws: StatusError.self) {
      try await session.respond(to: request(false))
    }
    #expect(error?.code == .alreadyExists)
  }

  @Test func `an invalid handshake begins no stream`() async throws {
    var session = WriteSession(firestore.service, firestore.context)
    await #expect(throws: invalid("'writes' must not be set on an initial write request.")) {
      try await session.respond(
        to: .with {
          $0.database = Firestore.database
          $0.writes = [.with { $0.delete = Firestore.name("c/a") }]
        }
      )
    }
    await #expect(
      throws: invalid("Resuming streams is not supported, do not set stream ID.")
    ) {
      try await session.respond(
        to: .with {
          $0.database = Firestore.database
          $0.streamID = "x"
        }
      )
    }
    let error = await #expect(throws: StatusError.self) { try await session.respond(to: .init()) }
    #expect(error?.code == .invalidArgument)
  }

  @Test func `a stream accepts only its own token and database`() async throws {
    var (session, token) = try await begun()
    await #expect(throws: invalid("A write request must have the stream's token.")) {
      try await session.respond(to: .init())
    }
    await #expect(throws: invalid("All requests of a write stream must name the same database.")) {
      try await session.respond(
        to: .with {
          $0.streamToken = token
          $0.database = "projects/p/databases/other"
        }
      )
    }
  }
}
