import Core
import TestKit
import Testing

/// A function that doesn't check its input.
private let trusting = #"""
  #!/bin/sh
  if [ "$1" = --describe ]; then
    echo '{"contract":1,"name":"trusting","triggers":[
      {"eventType":"google.cloud.firestore.document.v1.created","document":"notes/{id}"},
      {"eventType":"google.cloud.firestore.document.v1.updated","document":"notes/{id}","fields":["text"]},
      {"eventType":"google.cloud.firestore.document.v1.deleted","document":"drafts/{id}"}]}'
    exit
  fi
  cat > /dev/null
  echo '{"status":"ok","exitCode":0}'
  """#

@Suite(.timeLimit(.minutes(10)))
struct TestBenchTests {
  private struct Sent: Sendable, CustomTestStringConvertible {
    var kind: String
    var path = "notes/n"
    var before: String?
    var after: String?
    var database = "(default)"
    /// Additional fields of the event.
    var members: JSONObject = [:]
    /// A part of the expected error message, or `nil` if the function must run.
    var reason: String?

    var testDescription: String { "\(kind) \(path): \(reason ?? "taken")" }

    func event(_ project: String) throws -> String {
      func document(_ fields: String?) throws -> JSONValue? {
        try fields.map { fields in
          .object([
            "name": .string("projects/\(project)/databases/\(database)/documents/\(path)"),
            "fields": try json(fields),
          ])
        }
      }
      var data: JSONObject = [:]
      data["value"] = try document(after)
      data["oldValue"] = try document(before)
      let event: JSONObject = [
        "specversion": .string("1.0"), "id": .string("e"), "source": .string("//test"),
        "type": .string(kind.contains(".") ? kind : "google.cloud.firestore.document.v1.\(kind)"),
        "data": .object(data),
      ]
      let whole = JSONValue.object(event.merging(members) { $1 })
      return String(decoding: try JSON.encode(whole), as: UTF8.self)
    }
  }

  private static let text = #"{"text":{"stringValue":"hello"}}"#
  private static let other = #"{"text":{"stringValue":"hello"},"readBy":{"stringValue":"me"}}"#

  private static let all: [Sent] = [
    Sent(kind: "created", after: text),
    Sent(kind: "written", after: text),
    Sent(kind: "updated", before: "{}", after: text),
    Sent(kind: "deleted", path: "drafts/d", before: text),
    Sent(kind: "deleted", before: text, reason: "the document is not at drafts/{id}"),
    Sent(kind: "created", path: "drafts/d", after: text, reason: "not at notes/{id}"),
    Sent(kind: "created", path: "notes/n/parts/p", after: text, reason: "not at notes/{id}"),
    Sent(kind: "updated", before: text, after: other, reason: "the update did not change text"),
    Sent(kind: "updated", before: text, after: text, reason: "changes nothing"),
    Sent(kind: "created", before: text, reason: "a created document has a value"),
    Sent(kind: "created", before: text, after: other, reason: "and no oldValue"),
    Sent(kind: "created", after: text, database: "other", reason: "none is for"),
    Sent(
      kind: "created",
      after: text,
      members: ["document": .string("users/u")],
      reason: "its data has \"notes/n\""
    ),
    Sent(kind: "created", after: text, members: ["database": .string("other")], reason: "database"),
    Sent(kind: "created", after: text, members: ["project": .string("other")], reason: "project"),
    Sent(kind: "created", after: text, members: ["subject": .string("x")], reason: "subject"),
    Sent(kind: "updated", after: text, reason: "a value and an oldValue"),
    Sent(kind: "google.cloud.pubsub.topic.v1.messagePublished", after: text, reason: "of type"),
    Sent(kind: "created", reason: "data has neither value nor oldValue"),
  ]

  @Test
  func `a test run accepts only events that match a trigger, and explains a refusal`()
    async throws
  {
    try await withTemporaryFolder { folder in
      try await makeFile("\(folder)/trusting", trusting, isExecutable: true)
      try await withEmulator(functions: folder) { emulator in
        func run(_ text: String) async throws -> EmulatorProcess.Answer {
          try await emulator.request("POST", "ui", "/api/functions/trusting/test", json: text)
        }
        for sent in Self.all {
          let answer = try await run(sent.event(emulator.project))
          guard let reason = sent.reason else {
            #expect(answer.status == 200 && answer.json["exitCode"] == .integer(0), "\(sent)")
            continue
          }
          #expect(answer.status == 400, "\(sent)")
          #expect(answer.message?.contains(reason) == true, "\(sent): \(answer.text)")
        }
        let call = try await run(#"{"data":{}}"#)
        #expect(call.status == 400 && call.message?.contains("not callable") == true)
        // The function ran only for accepted events.
        let status = try await emulator.request("GET", "ui", "/api/functions/status").json
        let count = Self.all.count { $0.reason == nil }
        #expect(status.at("0.attempts") == .object(["0": .integer(Int64(count))]))
      }
    }
  }
}
