import Core
import FunctionRuntime

/// As little as a function can do: what its front costs is what a benchmark sees.
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
