import Core

// Conversion between CloudEvents and events of first-generation functions.

extension CloudEvent {
  /// Creates an event from a first-generation event.
  ///
  /// - Throws: `INVALID_ARGUMENT` if a part of the event has no CloudEvents equivalent; the message
  ///   names the part.
  init(_ event: FirstGenerationEvent) throws(StatusError) {
    guard let type = EventService.types.first(where: { $0.firstGeneration == event.type }) else {
      throw StatusError(.invalidArgument, "the event type \(quoted(event.type)) is not known")
    }
    let service = event.resource.service.flatMap(EventService.init(rawValue:)) ?? type.service
    var (source, subject) = try event.resource.parts(of: service)
    var data = event.data
    switch service {
    case .pubsub:
      var message = data.object ?? [:]
      message["messageId"] = message["messageId"] ?? .string(event.id)
      message["publishTime"] = message["publishTime"] ?? event.timestamp.map(JSONValue.string)
      data = .object(["message": .object(message)])
    case .auth:
      if let uid = data["uid"]?.string { subject = "users/\(uid)" }
      data = data.renamingMetadata(["createdAt": "createTime", "lastSignedInAt": "lastSignInTime"])
    case .database:
      guard let domain = event.domain else {
        throw StatusError(
          .invalidArgument,
          "the event has no domain, from which its location is derived"
        )
      }
      let location =
        domain == "firebaseio.com"
        ? "us-central1" : String(domain.prefix { $0 != "." })
      source = "projects/_/locations/\(location)/\(source)"
    case .firestore, .storage: break
    }
    var attributes: JSONObject = [
      "specversion": .string("1.0"), "id": .string(event.id), "type": .string(type.cloudEvent),
      "source": .string("//\(service.rawValue)/\(source)"),
      "datacontenttype": .string("application/json"),
    ]
    attributes["time"] = event.timestamp.map(JSONValue.string)
    attributes["subject"] = subject.map(JSONValue.string)
    try self.init(attributes: attributes, payload: .value(data))
  }
}

extension FirstGenerationEvent {
  /// Creates a first-generation event from a CloudEvent.
  ///
  /// - Throws: `INVALID_ARGUMENT` for an event that has no first-generation equivalent.
  init(_ event: CloudEvent) throws(StatusError) {
    let type = event["type"] ?? ""
    guard let old = EventService.types.first(where: { $0.cloudEvent == type }) else {
      throw StatusError(
        .invalidArgument,
        "the event type \(quoted(type)) doesn't exist for first-generation functions"
      )
    }
    let service = old.service
    let prefix = "//\(service.rawValue)/"
    guard let source = event["source"], source.hasPrefix(prefix) else {
      throw StatusError(.invalidArgument, "the event's source doesn't begin with \(prefix)")
    }
    var name = String(source.dropFirst(prefix.count))
    if let subject = event["subject"], service != .auth { name += "/\(subject)" }
    var data = event.value
    var resource = Resource(name: name)
    switch service {
    case .pubsub:
      resource.service = service.rawValue
      resource.type = "type.googleapis.com/google.pubsub.v1.PubsubMessage"
      var message = (data["message"] ?? data).object ?? [:]
      message["messageId"] = nil
      message["publishTime"] = nil
      data = .object(message)
    case .storage:
      resource.service = service.rawValue
      resource.type = data["kind"]?.string
    case .auth:
      data = data.renamingMetadata(["createTime": "createdAt", "lastSignInTime": "lastSignedInAt"])
    case .database:
      // First-generation names have no location.
      let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        .map { String(Substring($0)) }
      if parts.count > 4, parts[2].hasSameBytes(as: "locations") {
        resource.name = (parts[..<2] + parts[4...]).joined(separator: "/")
      }
    case .firestore: break
    }
    self.init(
      id: event["id"] ?? "",
      type: old.firstGeneration,
      timestamp: event["time"],
      resource: resource,
      data: data
    )
  }
}

extension FirstGenerationEvent.Resource {
  /// Splits the resource's name into the source and the subject of a CloudEvent. The source is
  /// returned without the service's host.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a name in another format.
  fileprivate func parts(
    of service: EventService
  ) throws(StatusError) -> (source: String, subject: String?) {
    switch service {
    case .pubsub, .auth: return (name, nil)
    case .firestore: return try split(at: "/documents/")
    case .storage:
      var (source, subject) = try split(at: "/objects/")
      // `#` and a number, the object's generation, may follow the object's name.
      let digits = name.utf8.reversed().prefix { (0x30...0x39).contains($0) }.count
      if digits > 0, name.utf8.dropLast(digits).last == UInt8(ascii: "#") {
        subject = subject.flatMap { String($0.utf8.dropLast(digits + 1)) }
      }
      return (source, subject)
    case .database:
      let (source, subject) = try split(at: "/refs/")
      let parts = source.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
      guard parts.count == 4, parts[2].hasSameBytes(as: "instances") else { throw malformed }
      return ("instances/\(parts[3])", subject)
    }
  }

  private func split(at mark: String) throws(StatusError) -> (source: String, subject: String?) {
    guard let range = name.utf8.firstRange(of: mark.utf8) else { throw malformed }
    return (
      String(name[..<range.lowerBound]),
      String(name[name.utf8.index(after: range.lowerBound)...])
    )
  }

  private var malformed: StatusError {
    StatusError(.invalidArgument, "the event's resource doesn't match its type")
  }
}

extension JSONValue {
  /// Returns a Firebase user with some fields of its `metadata` renamed.
  fileprivate func renamingMetadata(_ names: [ByteKey: ByteKey]) -> JSONValue {
    guard var user = object, var metadata = user["metadata"]?.object else { return self }
    for (old, new) in names {
      if let value = metadata.removeValue(forKey: old) { metadata[new] = value }
    }
    user["metadata"] = .object(metadata)
    return .object(user)
  }
}
