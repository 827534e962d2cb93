import ArgumentParser
import Core
import NIOCore
import NIOPosix

/// A load of hundreds of listeners and a writer, which measures the delivery of a change.
///
/// The client sends bare HTTP/2 and reads only the mark in a document's text, so that the server is what is
/// measured. It prints one JSON object.
@main
struct ListenLoad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "listenLoad")

  @Option(help: "Firestore's host:port.")
  var address: String

  @Option(help: "How many devices listen, each on a connection of its own.")
  var listeners = 1

  @Option(help: "They share so many collections; a commit concerns those of one.")
  var collections = 1

  @Option(help: "Listen to the newest so many documents; 0 is all of them.")
  var limit = 50

  @Option(help: "How many commits to measure.")
  var commits = 100

  @Option(help: "Commits a second; 0 makes the next when all have heard of the one before.")
  var rate = 0.0

  @Option(help: "How many documents each collection has to begin with.")
  var documents = 50

  @Flag(
    help: "Wait for each message's translation: functions must be there, and the conversations."
  )
  var translated = false

  /// A phrase of the phrasebook: after the first time its translation is in the cache.
  private static let phrase = "Thank you so much!"

  @Option(help: "How long to wait for what was written, in seconds.")
  var patience = 30

  func run() async throws {
    let parts = address.split(separator: ":")
    guard parts.count == 2, let port = Int(parts[1]), commits > 0, listeners > 0, collections > 0
    else { throw ValidationError("--address is host:port, and counts are positive") }
    let chat = Chat(collections: collections, limit: limit)
    // The number is larger than those of every earlier run.
    let first = Int(NIODeadline.now().uptimeNanoseconds / 1_000)
    let connect = { @Sendable [translated] (heard: @escaping Connection.Heard) in
      try await Connection.open(
        host: String(parts[0]),
        port: port,
        translated: translated,
        heard: heard
      )
    }
    let writer = try await connect { _, _ in }
    for collection in 0..<collections {
      for number in 0..<documents {
        let message = try chat.commit(text: "hello", number: first - 1 - number, to: collection)
        try await writer.call("Commit", message)
      }
    }
    let deliveries = Deliveries(listeners: listeners, collections: collections, first: first)
    var devices: [Connection] = []
    for listener in 0..<listeners {
      let device = try await connect { mark, now in
        deliveries.note(mark, by: listener, at: now)
      }
      try await device.listen(chat.listen(to: listener % collections))
      devices.append(device)
    }
    let before = devices.reduce(0) { $0 + $1.bytesReceived }
    let began = ContinuousClock.now
    for number in 0..<commits {
      if rate > 0 {
        // A writer that waited for responses would spare a slow server, and would measure less than
        // its clients experience.
        try await Task.sleep(until: began + .seconds(Double(number) / rate), clock: .continuous)
      }
      let mark = Mark(number: first + number)
      let collection = number % collections
      deliveries.expect(from: collection)
      let message = try chat.commit(
        text: translated ? Self.phrase : mark.text,
        mark: translated ? mark.text : nil,
        number: mark.number,
        to: collection
      )
      let answer = writer.send("Commit", message)
      if rate == 0 {
        try await answer.get()
        try await deliveries.complete(within: .seconds(patience))
      }
    }
    try await deliveries.complete(within: .seconds(patience))
    let seconds = began.duration(to: .now) / .seconds(1)
    let bytes = devices.reduce(0) { $0 + $1.bytesReceived } - before
    print(deliveries.report(seconds: seconds, bytes: bytes))
    for each in devices + [writer] { each.close() }
  }
}
