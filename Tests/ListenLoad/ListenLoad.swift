import ArgumentParser
import Core
import NIOCore
import NIOPosix
import SwiftProtobuf

/// A load generator: one client writes documents, and hundreds listen. It measures how long a
/// change takes to arrive.
///
/// It uses HTTP/2 without a gRPC library and reads only the mark in each document. So its own cost
/// is small next to the server's. It prints one JSON object.
@main
struct ListenLoad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "listenLoad")

  @Option(help: "Firestore's host:port.")
  var address: String

  @Option(help: "How many devices listen, each on a connection of its own.")
  var listeners = 1

  @Flag(help: "The devices listen over WebChannel, as browsers do.")
  var web = false

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
    help: "Wait for each message's translation; needs the functions and the conversations."
  )
  var translated = false

  /// A phrase of the phrasebook. After the first message, its translation is in the cache.
  private static let phrase = "Thank you so much!"

  @Option(help: "Maximum time to wait for the written documents, in seconds.")
  var timeLimit = 30

  func run() async throws {
    let parts = address.split(separator: ":")
    guard parts.count == 2, let port = Int(parts[1]), commits > 0, listeners > 0, collections > 0
    else { throw ValidationError("--address is host:port, and counts are positive") }
    let chat = Chat(collections: collections, limit: limit)
    // The first number is higher than all numbers of earlier runs.
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
    var devices: [any Device] = []
    for listener in 0..<listeners {
      let heard: Connection.Heard = { deliveries.note($0, by: listener, at: $1) }
      let request = chat.listen(to: listener % collections)
      if web {
        let device = try await BrowserConnection.listen(
          request.jsonString(),
          host: String(parts[0]),
          port: port,
          heard: heard
        )
        devices.append(device)
      } else {
        let device = try await connect(heard)
        try await device.listen(request.serializedBytes())
        devices.append(device)
      }
    }
    let before = devices.reduce(0) { $0 + $1.bytesReceived }
    let began = ContinuousClock.now
    for number in 0..<commits {
      if rate > 0 {
        // The writer doesn't wait for responses. Otherwise it would send less to a slow server, and
        // measure shorter delays than real clients have.
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
        try await deliveries.complete(within: .seconds(timeLimit))
      }
    }
    try await deliveries.complete(within: .seconds(timeLimit))
    let seconds = began.duration(to: .now) / .seconds(1)
    let bytes = devices.reduce(0) { $0 + $1.bytesReceived } - before
    print(deliveries.report(seconds: seconds, bytes: bytes))
    for each in devices + [writer] { each.close() }
  }
}

/// A device that listens.
protocol Device {
  var bytesReceived: Int { get }
  func close()
}

extension Connection: Device {}
extension BrowserConnection: Device {}
