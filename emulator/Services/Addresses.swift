import Core

/// Where the services listen, once they do.
package struct Addresses: Sendable {
  package struct Address: Sendable, Codable, CustomStringConvertible {
    package var host: String
    package var port: Int

    package init(host: String, port: Int) {
      self.host = host
      self.port = port
    }

    /// The address for clients on this machine: a wildcard is none.
    package var reachable: Address {
      switch host {
      case "0.0.0.0": Address(host: "127.0.0.1", port: port)
      case "::": Address(host: "::1", port: port)
      default: self
      }
    }

    /// `host:port`, as Firebase's variables have it.
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
  }

  /// What the hub's `GET /emulators` says of each service.
  struct HubEntry: Encodable {
    var name: String
    var host: String
    var port: Int
    var pid: Int32
    var listen: [Listen]
  }

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

  /// By the service's name: what the ready file holds.
  package var all: [String: Address] {
    Dictionary(uniqueKeysWithValues: addresses.map { ($0.key.rawValue, $0.value) })
  }

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
