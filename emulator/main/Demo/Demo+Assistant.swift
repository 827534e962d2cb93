import Core
import Delivery
import FirestoreModel
import FunctionHost
import ProviderFakes
import Services
import Store

/// The part of the demo that shows the functions that use a language model.
extension Demo {
  /// Prints a message's analysis.
  func explain(message id: String, _ console: Console) {
    guard let name = try? name("aiAnalysis/\(id)"),
      let fields = emulator.store.document(name)?.fields
    else { return }
    let language = fields["language"]?.stringValue ?? "?"
    let engine = fields["engine"]?.stringValue ?? "?"
    console.print("  💡 \(language)  \(fields["explanation"]?.stringValue ?? "")   [\(engine)]")
  }

  /// Prints three replies that Marco could send.
  func suggestReplies(_ console: Console) async {
    console.print("Marco could reply:")
    guard let result = await call("smartReplies", [:], console) else { return }
    for suggestion in result["suggestions"]?.array ?? [] {
      console.print(
        "  \(suggestion["text"]?.string ?? "")   (\(suggestion["translation"]?.string ?? ""))"
      )
    }
    console.print("  [\(result["engine"]?.string ?? "?")]")
    console.print("")
  }

  /// Prints Marco's question and the answer of `askAI`.
  func ask(_ query: String, _ console: Console) async {
    console.print("Marco asks:  \(query)")
    guard let result = await call("askAI", ["query": .string(query)], console) else { return }
    let engine = result["engine"]?.string ?? "?"
    console.print("  \(result["aiResponse"]?.string ?? "")   [\(engine)]")
    console.print("")
  }

  /// Calls a function as Marco, for his conversation with Sarah.
  ///
  /// - Returns: The function's result, or `nil` if the call failed.
  private func call(
    _ function: String,
    _ members: JSONObject,
    _ console: Console
  ) async -> JSONValue? {
    guard let installed = emulator.dispatcher.catalog.functions[function] else {
      console.print("  there is no function \(function)")
      return nil
    }
    let event = JSONValue.object([
      "auth": .object(["uid": "marco"]),
      "data": .object(members.merging(["conversationId": "sarah-marco"]) { own, _ in own }),
    ])
    guard let json = try? JSON.encode(event) else { return nil }
    let result = await emulator.dispatcher.call(installed, event: json)
    if let error = result.error { console.print("  \(error)") }
    return result.result
  }
}
