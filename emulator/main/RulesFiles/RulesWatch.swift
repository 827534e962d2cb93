import Core
import FirestoreAPI
import FirestoreModel
import FunctionHost
import Rules
import ServiceLifecycle
import Synchronization
import UI

/// The service that replaces the security rules when their file changes.
///
/// If the new file can't be used, the old rules stay.
struct RulesWatch: Service {
  let path: RulesFileLocation
  let identity: FileIdentity?
  let rules: SecurityRules
  let status: RulesStatus
  let console: Console

  func run() async {
    let watch = FileWatch(used: [path.path: identity]) { [path] in [path.path: path.identity] }
    await watch.run { _ in reload() }
  }

  private func reload() {
    do throws(StatusError) {
      let file = try path.read()
      try file.checkCompiled()
      if let old = status.file, file.content.hasSameBytes(as: old.content) {
        // The rules' coverage is kept.
        status.loaded(old)
        console.print("\(path.name): the rules are the same as before")
      } else {
        rules.replace(file)
        status.loaded(file)
        console.print("\(path.name): the rules were replaced")
        let projects = rules.projects
        if !projects.isEmpty {
          let names = projects.prefix(5).map { quoted($0) } + (projects.count > 5 ? ["…"] : [])
          console.print(
            "\(path.name): a client has set other rules, which still hold, for projects "
              + names.joined(separator: ", ")
          )
        }
      }
      if !file.report().isEmpty { console.warn(file.report()) }
    } catch {
      status.failed(error)
      console.warn("\(error.message)\n\(path.name): the rules before this change stay in force")
    }
  }
}
