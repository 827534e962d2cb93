import Core
import FirestoreModel
import FunctionRuntime
import TestKit
import Testing

@testable import Chat

struct FunctionControlsTests {
  private func controls(
    of function: String,
    _ fields: Fields
  ) throws -> FunctionControls {
    try FunctionControls(
      of: function,
      in: ChatDocuments.document(FunctionControls.path, fields)
    )
  }

  @Test func `without a document nothing is paused, and paid functions have user limits`()
    throws
  {
    for function in ["translateMessage", "analyzeMessage", "smartReplies", "askAI"] {
      let controls = try FunctionControls(of: function, in: nil)
      #expect(!controls.isPaused)
      #expect((1...20_000).contains(controls.perUserPerMinute ?? 0))
      #expect((controls.perUserPerDay ?? 0) > (controls.perUserPerMinute ?? 0))
      #expect(controls.dailyCostMicros == nil)
    }
    let other = try FunctionControls(of: "sendNotification", in: nil)
    #expect(other.perUserPerMinute == nil && other.perUserPerDay == nil && !other.isPaused)
  }

  @Test func `each member applies to its function alone`() throws {
    let fields: Fields = [
      "askAI": [
        "paused": true, "perUserPerMinute": 1, "perUserPerDay": 0, "perMinute": 2, "perDay": 3,
        "dailyCostMicros": 5_000_000,
      ],
      "smartReplies": ["paused": "no"],
    ]
    let controls = try controls(of: "askAI", fields)
    #expect(controls.isPaused)
    #expect(controls.perUserPerMinute == 1)
    #expect(controls.perUserPerDay == 0)
    #expect(controls.perMinute == 2)
    #expect(controls.perDay == 3)
    #expect(controls.dailyCostMicros == 5_000_000)
    #expect(try self.controls(of: "translateMessage", fields).isPaused == false)
  }

  @Test func `a mistyped function name is reported`() throws {
    let error = #expect(throws: StatusError.self) {
      try controls(of: "askAI", ["askAi": ["paused": true]])
    }
    #expect(error?.message == "config/functions: \"askAi\" must be written askAI")
    #expect(try controls(of: "smartReplies", ["askAi": ["paused": true]]).isPaused == false)
  }

  @Test(
    arguments: [
      (.map(["paused": "no"]), "askAI.paused is not a boolean"),
      (.map(["paused": .null]), "askAI.paused is not a boolean"),
      (.map(["perUserPerMinute": -1]), "askAI.perUserPerMinute is not a whole number"),
      (.map(["perUserPerDay": .double(1.5)]), "askAI.perUserPerDay is not a whole number"),
      (.map(["dailyCostMicros": "5"]), "askAI.dailyCostMicros is not a whole number"),
      (.map(["puased": true]), "askAI.\"puased\" is an unknown field"),
      (.boolean(true), "askAI is not a map"),
    ] as [(Value, String)]
  )
  func `a mistyped switch is reported, and nothing runs`(
    entry: Value,
    message: String
  ) throws {
    let error = #expect(throws: StatusError.self) { try controls(of: "askAI", ["askAI": entry]) }
    #expect(error.map(ExitCode.init) == .configuration)
    #expect(
      error?.message.hasPrefix("config/functions: \(message)") == true,
      "\(error?.message ?? "")"
    )
  }
}
