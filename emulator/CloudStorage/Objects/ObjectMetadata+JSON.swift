package import Core
package import FirestoreModel
import Store

extension ObjectMetadata {
  /// The origin of links in production.
  package static let productionOrigin = "https://www.googleapis.com"

  /// Returns the resource `storage#object` of the JSON API, which is also the data of events.
  ///
  /// - Parameter origin: The scheme, host and port of the links.
  package func resource(origin: String = productionOrigin) -> JSONObject {
    let path = "b/\(bucket)/o/\(PercentEncoding.encode(name))"
    var members: JSONObject = [
      "kind": .string("storage#object"),
      "id": .string("\(bucket)/\(name)/\(generation)"),
      "selfLink": .string("\(origin)/storage/v1/\(path)"),
      "mediaLink": .string(
        "\(origin)/download/storage/v1/\(path)?generation=\(generation)&alt=media"
      ),
      "name": .string(name),
      "bucket": .string(bucket),
      "generation": .string(String(generation)),
      "metageneration": .string(String(metageneration)),
      "size": .string(String(size)),
      "crc32c": .string(crc32cText),
      "etag": .string(etag),
      "timeCreated": .string(timeCreated.inMilliseconds),
      "updated": .string(updated.inMilliseconds),
      "timeStorageClassUpdated": .string(timeCreated.inMilliseconds),
      "timeFinalized": .string(timeCreated.inMilliseconds),
    ]
    members["md5Hash"] = md5Text.map { .string($0) }
    members["componentCount"] = componentCount.map { .integer($0) }
    members.merge(attributes.json) { $1 }
    return members
  }
}

extension Timestamp {
  /// The time as RFC 3339 with three fraction digits, which some clients require.
  package var inMilliseconds: String {
    let text = truncatedToMilliseconds.description
    return nanoseconds < 1_000_000 ? text.dropLast() + ".000Z" : text
  }
}
