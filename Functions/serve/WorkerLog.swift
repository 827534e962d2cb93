import Core
import FunctionHost

/// The forwarding of functions' stderr, line by line.
///
/// A JSON line gets its invocation's trace, which replaces any trace it has. Other lines stay as
/// they are.
struct WorkerLog: FunctionLog {
  var trace: TraceNames

  func append(_ line: [UInt8], function: String, attempts: [LoggedAttempt]) {
    StandardError.write(line: withTrace(line, attempts.first?.traceparent))
  }

  func append(warning: String, function: String, attempt: LoggedAttempt?) {
    let entry = ["severity": "WARNING", "message": warning, "function": function]
    guard let line = try? JSON.encode(entry) else { return }
    append(Array(line), function: function, attempts: attempt.map { [$0] } ?? [])
  }

  private func withTrace(_ line: [UInt8], _ traceparent: String?) -> [UInt8] {
    guard line.first == UInt8(ascii: "{"), line.last == UInt8(ascii: "}"), line.count > 2 else {
      return line
    }
    let members = trace.members(of: traceparent)
    guard !members.isEmpty else { return line }
    // Parse the line if it already has a trace, which is rare. To other lines, append the fields.
    if line.contains("logging.googleapis.com/".utf8),
      var object = (try? JSONValue(parsing: Data(line)))?.object
    {
      for (name, value) in members { object[name] = .string(value) }
      return (try? JSON.encode(JSONValue.object(object))).map { Array($0) } ?? line
    }
    let end = members.map { #","\#($0.name)":"\#($0.value)""# }
      .joined()
    return line.dropLast() + Array(end.utf8) + [UInt8(ascii: "}")]
  }
}
