import Core
import FunctionRuntime

/// A minimal function. A benchmark with it measures the server, not the function.
@main struct Greet: Function {
  struct Call: Decodable {
    var name: String
  }

  struct Greeting: Encodable {
    var greeting: String
  }

  init(configuration: Configuration) {}

  static func manifest(_ configuration: Configuration) -> FunctionManifest {
    FunctionManifest(name: "greet", callable: true)
  }

  func handle(_ call: Call, caller: Caller?, context: FunctionContext) async -> FunctionOutcome {
    .done(Greeting(greeting: "Hello, \(call.name)!"))
  }
}
