import Core
import FirestoreModel
import FirestoreProtos
import FunctionRuntime
import SwiftProtobuf

/// The payload of a document event, as protobuf and as JSON.
extension ProtoDocumentEventData {
  init(_ event: DocumentEvent) {
    self.init()
    if let document = event.value {
      value = ProtoDocument(document, name: document.name.description)
    }
    if let document = event.oldValue {
      oldValue = ProtoDocument(document, name: document.name.description)
    }
    if !event.updateMask.isEmpty { updateMask.fieldPaths = event.updateMask.map(\.description) }
  }

  /// Creates a payload by decoding it.
  ///
  /// - Parameter bytes: Protobuf, or its base64 text, which Google's emulator sends under the same
  ///   content type. No field of this message begins with a byte of base64.
  /// - Throws: `INVALID_ARGUMENT` for anything else, and for a message that is nested too deeply.
  init(protobuf bytes: Data) throws(StatusError) {
    let message = Data(base64Encoded: bytes) ?? bytes
    do {
      try self.init(serializedBytes: message)
    } catch BinaryDecodingError.messageDepthLimit {
      throw StatusError(.invalidArgument, "the event's data is nested too deeply")
    } catch {
      throw StatusError(.invalidArgument, "the event's data is not a DocumentEventData message")
    }
  }

  var protobuf: Data {
    get throws(StatusError) {
      var options = BinaryEncodingOptions()
      options.useDeterministicOrdering = true
      do {
        let bytes: [UInt8] = try serializedBytes(options: options)
        return Data(bytes)
      } catch {
        throw StatusError(.internal, "the event can't be encoded")
      }
    }
  }
}
