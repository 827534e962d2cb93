import FirestoreModel
import JSONCoding

/// One line of a worker's stdin: `{"event":…,"invocation":…}`, or an event as it is.
struct LineEvent<Call: Decodable & Sendable>: Decodable {
  var event: IncomingEvent<Call>
  var invocation: Invocation

  private enum Member: String, CodingKey { case event, invocation }

  init(from decoder: any Decoder) throws {
    let members = try JSONValue(from: decoder).object ?? [:]
    // Beside both, a newer dispatcher may say more; an event alone could be a call's own member.
    guard members["event"] != nil, members["invocation"] != nil || members.count == 1 else {
      event = try IncomingEvent(from: decoder)
      invocation = Invocation()
      return
    }
    let container = try decoder.container(keyedBy: Member.self)
    do {
      event = try container.decode(IncomingEvent<Call>.self, forKey: .event)
    } catch let error as DecodingError {
      // Whoever sent the event knows nothing of the line around it.
      throw error.oneLevelDown
    }
    guard let member = members["invocation"], member != .null else {
      invocation = Invocation()
      return
    }
    do throws(JSONFault) {
      invocation = try Invocation(json: member, isStrict: false)
    } catch {
      throw error.at("invocation").decodingError(at: decoder.codingPath)
    }
  }
}

/// Whose line it is, where its event can't be read.
struct LineInvocation: Decodable {
  var id: String?

  private enum Member: String, CodingKey { case event, invocation, id }

  init(from decoder: any Decoder) throws {
    let line = try decoder.container(keyedBy: Member.self)
    guard line.contains(.event), line.contains(.invocation) else { return }
    id = try line.nestedContainer(keyedBy: Member.self, forKey: .invocation)
      .decodeIfPresent(String.self, forKey: .id)
  }
}

extension DecodingError {
  /// The same, with a place that is told without its first name.
  fileprivate var oneLevelDown: DecodingError {
    switch self {
    case .keyNotFound(let key, let context): .keyNotFound(key, context.oneLevelDown)
    case .typeMismatch(let type, let context): .typeMismatch(type, context.oneLevelDown)
    case .valueNotFound(let type, let context): .valueNotFound(type, context.oneLevelDown)
    case .dataCorrupted(let context): .dataCorrupted(context.oneLevelDown)
    @unknown default: self
    }
  }
}

extension DecodingError.Context {
  fileprivate var oneLevelDown: Self {
    Self(
      codingPath: Array(codingPath.dropFirst()),
      debugDescription: debugDescription,
      underlyingError: underlyingError
    )
  }
}
