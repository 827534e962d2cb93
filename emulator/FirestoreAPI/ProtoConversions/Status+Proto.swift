import Core
import FirestoreProtos

extension ProtoStatus {
  init(_ error: StatusError) {
    self.init()
    code = Int32(error.code.number)
    message = error.message
  }
}
