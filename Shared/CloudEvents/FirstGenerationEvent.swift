import Core
import FunctionRuntime

/// An event for functions of the first generation: `{"context":{…},"data":…}`, or one flat object
/// that has the context's fields beside `data`.
struct FirstGenerationEvent: Sendable {
  /// The changed resource, such as `projects/_/buckets/b/objects/o`, and its service.
  struct Resource: Sendable {
    var name: String
    var service: String?
    var type: String?
  }

  var id: String
  var type: String
  var timestamp: String?
  var resource: Resource
  /// The domain of a Realtime Database's instance, from which its location is derived.
  var domain: String?
  var data: JSONValue

  init(
    id: String,
    type: String,
    timestamp: String?,
    resource: Resource,
    domain: String? = nil,
    data: JSONValue
  ) {
    self.id = id
    self.type = type
    self.timestamp = timestamp
    self.resource = resource
    self.domain = domain
    self.data = data
  }

  /// Creates an event from a JSON object.
  ///
  /// - Parameter event: The object's fields.
  /// - Throws: `INVALID_ARGUMENT`, naming the missing field.
  init(_ event: JSONObject) throws(StatusError) {
    guard event["context"] != nil || event["eventType"] != nil else {
      throw StatusError(
        .invalidArgument,
        "the event has no specversion and no context: it is neither a CloudEvent nor a "
          + "first-generation event"
      )
    }
    let context = event["context"] ?? .object(event)
    func text(_ name: String) throws(StatusError) -> String {
      guard let text = context[name]?.string, !text.isEmpty else {
        throw StatusError(.invalidArgument, "the event's context has no \(name)")
      }
      try CloudEvent.check(text, of: name)
      return text
    }
    func textIfAny(_ value: JSONValue?, of name: String) throws(StatusError) -> String? {
      guard let text = value?.string else { return nil }
      try CloudEvent.check(text, of: name)
      return text
    }
    guard let data = event["data"] else {
      throw StatusError(.invalidArgument, "the event has no data")
    }
    let resource = context["resource"] ?? .null
    guard let name = resource.string ?? resource["name"]?.string else {
      throw StatusError(.invalidArgument, "the event's context has no resource")
    }
    try CloudEvent.check(name, of: "resource", maximumBytes: EventAttribute.maximumNameBytes)
    self.init(
      id: try text("eventId"),
      type: try text("eventType"),
      timestamp: try textIfAny(context["timestamp"], of: "timestamp"),
      resource: Resource(
        name: name,
        service: try textIfAny(resource["service"], of: "service"),
        type: try textIfAny(resource["type"], of: "type")
      ),
      domain: try textIfAny(event["domain"], of: "domain"),
      data: data
    )
  }

  /// The event as JSON with a `context` object, the format that functions expect.
  var json: Data {
    var context: JSONObject = ["eventId": .string(id), "eventType": .string(type)]
    context["timestamp"] = timestamp.map(JSONValue.string)
    if resource.service == nil, resource.type == nil {
      context["resource"] = .string(resource.name)
    } else {
      var members: JSONObject = ["name": .string(resource.name)]
      members["service"] = resource.service.map(JSONValue.string)
      members["type"] = resource.type.map(JSONValue.string)
      context["resource"] = .object(members)
    }
    var event: JSONObject = ["context": .object(context), "data": data]
    event["domain"] = domain.map(JSONValue.string)
    return (try? JSON.encode(JSONValue.object(event))) ?? Data()
  }
}
