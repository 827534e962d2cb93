import Core

/// An event with its deliveries, or a call, as text for the terminal, made from the response of
/// `GET /api/events/{id}`.
struct EventText {
  /// The maximum number of characters of a value.
  private static let maximumValue = 200

  let answer: JSONValue
  let console: Console

  func print() {
    if let call = answer["call"] {
      let request = answer["request"]
      console.print(console.styled("call of \(call["function"]?.string ?? "")", .bold))
      fact("time", call["recorded"]?.string ?? "")
      fact("caller", call["uid"]?.string ?? "nobody signed in")
      if let data = request?["data"] ?? request { fact("data", data.text) }
      return printRun(call)
    }
    let event = answer["event"] ?? .null
    let deliveries = answer["deliveries"]?.array ?? []
    let type = event["type"]?.string ?? ""
    let path = deliveries.first?["document"]?.string ?? ""
    console.print(console.styled("\(type.lastPart)  \(path.terminalLine(upTo: 2_000))", .bold))
    fact("event", "\(event["id"]?.string ?? "")  \(type)")
    fact("time", event["time"]?.string ?? "")
    if let trace = event["traceparent"]?.string { fact("trace", trace) }
    printData(event)
    for delivery in deliveries { printRun(delivery) }
  }

  private func fact(_ title: String, _ text: String) {
    console.print(
      "  \(console.styled(title.padded(to: 9), .faint)) \(text.terminalLine(upTo: 2_000))"
    )
  }

  // MARK: Data

  private func printData(_ event: JSONValue) {
    let data = event["data"] ?? .null
    let (before, after) = (data["oldValue"]?["fields"]?.object, data["value"]?["fields"]?.object)
    guard before != nil || after != nil else {
      return fact("data", data.text)
    }
    let names = Set((before ?? [:]).keys).union((after ?? [:]).keys).sorted()
    for name in names {
      let (old, new) = (before?[name]?.plain, after?[name]?.plain)
      // Only an update has both; then its unchanged fields are left out.
      if before != nil, after != nil {
        guard old != new else { continue }
        let change = "\(old.map(Self.clipped) ?? "–") → \(new.map(Self.clipped) ?? "–")"
        fact("changed", "\(name): \(change)")
      } else {
        fact(after == nil ? "deleted" : "field", "\(name): \(Self.clipped(new ?? old ?? .null))")
      }
    }
  }

  private static func clipped(_ value: JSONValue) -> String {
    value.text.terminalLine(upTo: maximumValue)
  }

  // MARK: Deliveries and calls

  private func printRun(_ run: JSONValue) {
    func text(_ name: String) -> String { run[name]?.string ?? "" }
    let id = text("id")
    var parts = [console.styled(text("function"), .bold), styledState(text("state"))]
    if case .integer(let attempts)? = run["attempts"], attempts > 1 {
      parts.append("\(attempts) attempts")
    }
    switch run["durationMs"] {
    case .number(let duration): parts.append("\(Int(duration.rounded())) ms")
    case .integer(let duration): parts.append("\(duration) ms")
    default: break
    }
    console.print("\n" + (parts + [console.styled(id, .faint)]).joined(separator: "  "))
    if let next = run["nextAttempt"]?.string { fact("next", next) }
    if let reason = run["reason"]?.string { fact("reason", reason) }
    if let error = run["error"] {
      fact("error", "\(error["code"]?.string ?? ""): \(error["message"]?.string ?? "")")
    }
    for write in run["output"]?["writes"]?.array ?? [] {
      fact("wrote", "\(write["document"]?.string ?? "")  \(write["operation"]?.string ?? "")")
    }
    if let result = run["output"]?["result"] { fact("result", result.text) }
    for entry in answer["logs"]?.array ?? [] where entry["invocationId"]?.string == id {
      console.print("  \(console.styled("log".padded(to: 9), .faint)) \(entry.logLine(console))")
    }
    if text("state") == "deadLettered" { fact("again", "emulator events retry \(id)") }
  }

  private func styledState(_ state: String) -> String {
    switch state {
    case "succeeded": console.styled("succeeded", .green)
    case "deadLettered": console.styled("gave up", .red)
    case "failed": console.styled("failed", .red)
    case "waiting": console.styled("waiting", .yellow)
    default: state
    }
  }
}

extension JSONValue {
  /// The value on one line.
  fileprivate var text: String {
    (try? JSON.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// A value of Firestore's REST API without its types: `{"stringValue":"a"}` is `"a"`.
  fileprivate var plain: JSONValue {
    guard let (type, value) = object?.first else { return self }
    switch type {
    case "arrayValue": return .array((value["values"]?.array ?? []).map(\.plain))
    case "mapValue": return .object((value["fields"]?.object ?? [:]).mapValues(\.plain))
    // An integer is a string in JSON.
    case "integerValue": return value.string.flatMap(Int64.init).map(JSONValue.integer) ?? value
    default: return value
    }
  }
}

extension String {
  /// The text after the last dot.
  fileprivate var lastPart: Substring { split(separator: ".").last ?? "" }
}
