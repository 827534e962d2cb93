import Core

/// The addresses of the listening services.
package struct Addresses: Sendable {
  /// A host and a port.
  package struct Address: Sendable, Codable, CustomStringConvertible {
    package var host: String
    package var port: Int

    package init(host: String, port: Int) {
      self.host = host
      self.port = port
    }

    /// The address for clients on this machine, with loopback in place of a wildcard host.
    package var reachable: Address {
      switch host {
      case "0.0.0.0": Address(host: "127.0.0.1", port: port)
      case "::": Address(host: "::1", port: port)
      default: self
      }
    }

    /// The address as `host:port`, the form of Firebase's environment variables.
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
  }

  /// A service in the hub's response to `GET /emulators`.
  struct HubEntry: Encodable {
    var name: String
    var host: String
    var port: Int
    var pid: Int32
    var listen: [Listen]
  }

  /// An address that a service listens on, in the form of Firebase's hub.
  struct Listen: Encodable {
    var address: String
    var family: String
    var port: Int
  }

  private var addresses: [ServiceName: Address] = [:]

  package init() {}

  package subscript(name: ServiceName) -> Address? {
    get { addresses[name] }
    set { addresses[name] = newValue }
  }

  /// The addresses by the service's name, the content of the ready file.
  package var all: [String: Address] {
    Dictionary(uniqueKeysWithValues: addresses.map { ($0.key.rawValue, $0.value) })
  }

  /// The services in the form of the hub's `GET /emulators`, by name.
  var emulators: [String: HubEntry] {
    Dictionary(
      uniqueKeysWithValues: all.map { name, address in
        let family = address.host.contains(":") ? "IPv6" : "IPv4"
        return (
          name,
          HubEntry(
            name: name,
            host: address.host,
            port: address.port,
            pid: getpid(),
            listen: [Listen(address: address.host, family: family, port: address.port)]
          )
        )
      }
    )
  }
}
