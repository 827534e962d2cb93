import Core
import HTTPClient
import TestKit
import Testing

/// The delivery of events to a URL instead of a function's executable, and triggers for one
/// database.
@Suite(.timeLimit(.minutes(10)))
struct DeliverTests {
  /// A function that fails whenever its executable is run.
  private let script = #"""
    #!/bin/sh
    if [ "$1" = --describe ]; then
      echo '{"contract":1,"name":"shout","callable":true,"triggers":[
        {"eventType":"google.cloud.firestore.document.v1.created","document":"notes/{id}"},
        {"eventType":"google.cloud.firestore.document.v1.created.withAuthContext",
         "document":"letters/{id}","database":"post"}]}'
      exit
    fi
    exit 70
    """#

  @Test(arguments: ["protobuf", "json", "structured"])
  func `a function's events are sent to the URL of --deliver, and its answer counts`(
    format: String
  ) async throws {
    let server = try LoopbackServer(answers: [ScriptedAnswer(503), ScriptedAnswer(200)])
    defer { server.stop() }
    try await withTemporaryFolder { folder in
      try await makeFile("\(folder)/shout", script, isExecutable: true)
      try await withEmulator(
        "--deliver",
        "shout=\(server.url("/shout"))",
        "--deliver-format",
        format,
        functions: folder
      ) { emulator in
        try await emulator.write(#"{"notes/n1":{"text":"hey"},"letters/l1":{"text":"hey"}}"#)
        try await emulator.quiet()
        // The server refused the first request, so the emulator sent the event again.
        #expect(server.requests.map(\.target) == ["/shout", "/shout"])
        let ids = Set(server.requests.map { $0.headers["ce-id"] })
        #expect(ids.count == 1)
        let contentTypes = [
          "protobuf": "application/protobuf", "json": "application/json",
          "structured": "application/cloudevents+json; charset=utf-8",
        ]
        #expect(server.requests.last?.headers["content-type"] == contentTypes[format])
        let deliveries = try await emulator.deliveries()
        #expect(deliveries.map { $0["state"] } == [.string("succeeded")])

        let called = try await emulator.request("POST", "functions", "/shout", json: "{}")
        #expect(called.status == 501)
        #expect(called.message?.contains("shout can't be called") == true)
      }
    }
  }

  @Test func `a trigger of another database fires for that database alone`() async throws {
    let server = try LoopbackServer(answers: [ScriptedAnswer(200)])
    defer { server.stop() }
    try await withTemporaryFolder { folder in
      try await makeFile("\(folder)/shout", script, isExecutable: true)
      let manifest = try await runProgram("\(folder)/shout", ["--describe"])
      try Schema.manifest.check(json(manifest.text))
      try await withEmulator(
        "--deliver",
        "shout=\(server.url())",
        functions: folder
      ) { emulator in
        for database in ["(default)", "post", "other"] {
          for path in ["notes/n1", "letters/l1"] {
            let answer = try await emulator.request(
              "PATCH",
              "firestore",
              "/v1/projects/\(emulator.project)/databases/\(database)/documents/\(path)",
              headers: [HTTPHeader("Authorization", "Bearer owner")],
              json: #"{"fields":{}}"#
            )
            #expect(answer.status == 200)
          }
        }
        try await emulator.quiet()
        let seen = Set(
          server.requests.map { [$0.headers["ce-database"], $0.headers["ce-document"]] }
        )
        #expect(seen == [["(default)", "notes/n1"], ["post", "letters/l1"]])
        let letter = server.requests.first { $0.headers["ce-database"] == "post" }
        #expect(letter?.headers["ce-authtype"] == "system")
      }
    }
  }

  @Test func `Firestore alone takes triggers for the functions of firebase json`()
    async throws
  {
    let server = try LoopbackServer(answers: [ScriptedAnswer(200)])
    defer { server.stop() }
    try await withEmulatorShell { shell in
      try await makeFile(
        "\(shell.folder)/firebase.json",
        #"{"emulators":{"functions":{"host":"127.0.0.1","port":\#(server.port)}}}"#
      )
      let script = #"""
        base="http://$FIRESTORE_EMULATOR_HOST"
        curl -sS -X PUT "$base/emulator/v1/projects/$GOOGLE_CLOUD_PROJECT/triggers/note" -d '
          {"eventTrigger":{"eventType":"providers/cloud.firestore/eventTypes/document.create",
          "resource":"projects/'$GOOGLE_CLOUD_PROJECT'/databases/(default)/documents/notes/{id}"}}'
        curl -sS -X PATCH -o /dev/null \
          "$base/v1/projects/$GOOGLE_CLOUD_PROJECT/databases/(default)/documents/notes/n1" -d '{}'
        """#
      let output = try await shell.exec("--only", "firestore", script: script)
      #expect(output.exitCode == 0, Comment(rawValue: output.errorText))
      #expect(output.text == "{}")
      #expect(server.requests.count == 1)
      let project = shell.project
      #expect(server.requests.first?.target == "/functions/projects/\(project)/triggers/note")
      let body = try JSONValue(parsing: try #require(server.requests.first).body)
      #expect(
        body.at("context.resource.name")
          == .string("projects/\(project)/databases/(default)/documents/notes/n1")
      )
    }
  }
}
