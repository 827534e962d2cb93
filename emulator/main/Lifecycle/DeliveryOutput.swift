import Core
import Delivery
import FirestoreModel
import FunctionHost
import FunctionRuntime

/// The terminal's lines about deliveries and calls: one for each that has ended, and one for each
/// failed attempt.
struct DeliveryOutput {
  let dispatcher: Dispatcher
  let console: Console
  private let subscription: ActivityFeed.Subscription

  /// Creates an output of what happens from now on.
  init(dispatcher: Dispatcher, console: Console) {
    self.dispatcher = dispatcher
    self.console = console
    subscription = dispatcher.feed.subscribe()
    if !console.isQuiet { subscription.topics = [.deliveries, .calls] }
  }

  /// Prints lines until the task is cancelled.
  func run() async {
    defer { dispatcher.feed.unsubscribe(subscription) }
    console.print("Running. Press Ctrl-C to stop.")
    /// The numbers of the attempts whose failure was printed, by delivery that waits for the next.
    var printed: [String: Int] = [:]
    while !Task.isCancelled {
      let news = await subscription.next()
      for occurrence in news.occurrences {
        switch occurrence {
        case .delivery(let delivery):
          if delivery.isEnded {
            printed[delivery.id] = nil
          } else {
            // A dead letter that is retried waits without a time.
            guard delivery.state == .waiting, delivery.nextAttempt != nil,
              printed.updateValue(delivery.attemptCount, forKey: delivery.id)
                != delivery.attemptCount
            else { continue }
          }
          print(DeliveryLine(delivery))
        case .call(let call):
          if call.result != nil { print(DeliveryLine(call)) }
        case .log, .push: break
        }
      }
      if news.lost > 0 { console.print("  \(news.lost) more deliveries, too fast to show each") }
    }
  }

  private func print(_ line: DeliveryLine) {
    let width = dispatcher.catalog.functions.keys.map(\.count).max() ?? 0
    var text = [
      console.styled(line.time.localTimeOfDay, .faint),
      console.styled(line.function.padded(to: width), .bold), line.change.padded(to: 7),
      line.path.terminalLine(upTo: 200),
      console.styled(line.outcome.terminalLine(upTo: 500), line.style),
    ]
    if let duration = line.duration {
      text.append(console.styled("\(Int((duration / .milliseconds(1)).rounded())) ms", .faint))
    }
    console.print(text.joined(separator: "  "))
    guard line.isFailure else { return }
    if let last = dispatcher.logs.lastEntry(invocationID: line.id, attempt: line.attempt)?
      .message.terminalLine(upTo: 500),
      // The error of a crash contains the line already.
      !line.outcome.contains(last)
    {
      console.print("          stderr: \(last)")
    }
    console.print("          emulator events show \(line.id)")
  }
}

/// The terminal's text about a delivery or a call.
private struct DeliveryLine {
  var id: String
  var time: Timestamp
  var function: String
  /// The kind of change, such as `created`, or `called` for a call.
  var change: String
  /// The path of the document or node, the name of the object, or the caller.
  var path: String
  /// The result, with its reason or error.
  var outcome: String
  var style = TerminalStyle.green
  var isFailure = false
  var attempt: Int?
  var duration: Duration?

  init(_ delivery: Delivery) {
    id = delivery.id
    function = delivery.function
    change = delivery.event.change == .metadataUpdated ? "updated" : delivery.event.change.rawValue
    path = delivery.event.path
    attempt = delivery.attempts.last?.number
    duration = delivery.duration
    let started = delivery.started ?? delivery.recorded
    time = started.advanced(by: delivery.duration ?? .zero)
    switch delivery.state {
    case .waiting, .running:
      outcome = "failed: \(delivery.failure)"
      if let next = delivery.nextAttempt {
        let seconds = max(0, next.duration(since: time) / .seconds(1))
        outcome += "; attempt \(delivery.attemptCount + 1) in \(Self.tenths(seconds)) s"
      }
      (style, isFailure) = (.yellow, true)
    case .succeeded: outcome = "succeeded"
    case .skipped:
      outcome = "skipped" + (delivery.result?.reason.map { ": \($0)" } ?? "")
      style = .faint
    case .deadLettered:
      let tries = delivery.attemptCount > 1 ? " after \(delivery.attemptCount) attempts" : ""
      outcome = "gave up\(tries): \(delivery.failure)"
      (style, isFailure) = (.red, true)
    }
  }

  init(_ call: FunctionCall) {
    id = call.id
    function = call.function
    change = "called"
    let uid = (try? JSONValue(parsing: call.event))?["auth"]?["uid"]?.string
    path = uid.map { "by \($0)" } ?? "by nobody signed in"
    duration = call.duration
    time = call.started.advanced(by: call.duration ?? .zero)
    switch call.result?.status {
    case .ok?, nil: outcome = "succeeded"
    case .skipped?:
      outcome = "skipped" + (call.result?.reason.map { ": \($0)" } ?? "")
      style = .faint
    case .error?:
      outcome = "failed: " + (call.result?.error.map(String.init(describing:)) ?? "no result")
      (style, isFailure) = (.red, true)
    }
  }

  private static func tenths(_ seconds: Double) -> String {
    let tenths = Int((seconds * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}
