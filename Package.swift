// swift-tools-version: 6.2
import PackageDescription

/// The dependencies of every function.
let functionDependencies: [Target.Dependency] = [
  "Chat", "FirestoreModel", "FirestoreREST", "FunctionRuntime", "Platform", "RPCStatus",
  .product(name: "Logging", package: "swift-log"),
]

/// The dependencies of a function that asks a provider for something once.
let leaseDependencies: [Target.Dependency] = ["JSONCoding", "Leases", "Providers"]

let package = Package(
  name: "worldchat-functions",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "translateMessage", targets: ["translateMessage"]),
    .executable(name: "sendNotification", targets: ["sendNotification"]),
    .executable(name: "analyzeMessage", targets: ["analyzeMessage"]),
    .executable(name: "smartReplies", targets: ["smartReplies"]),
    .executable(name: "askAI", targets: ["askAI"]),
    .executable(name: "forgetUser", targets: ["forgetUser"]),
    .executable(name: "serve", targets: ["serve"]),
    .executable(name: "emulator", targets: ["emulator"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
    .package(url: "https://github.com/apple/swift-nio-http2", exact: "1.46.0"),
    .package(url: "https://github.com/apple/swift-protobuf", exact: "1.39.0"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
  ],
  targets: [
    // Functions: one folder each, the @main handler and its pure part.
    .executableTarget(
      name: "translateMessage",
      dependencies: functionDependencies + ["JSONCoding"],
      path: "Functions/translateMessage"
    ),
    .executableTarget(
      name: "sendNotification",
      dependencies: functionDependencies + leaseDependencies,
      path: "Functions/sendNotification"
    ),
    .executableTarget(
      name: "analyzeMessage",
      dependencies: functionDependencies + leaseDependencies + ["LanguageDetection"],
      path: "Functions/analyzeMessage"
    ),
    .executableTarget(
      name: "smartReplies",
      dependencies: functionDependencies + leaseDependencies,
      path: "Functions/smartReplies"
    ),
    .executableTarget(
      name: "askAI",
      dependencies: functionDependencies + leaseDependencies + ["LanguageDetection"],
      path: "Functions/askAI"
    ),
    .executableTarget(
      name: "forgetUser",
      dependencies: functionDependencies,
      path: "Functions/forgetUser"
    ),

    .executableTarget(
      name: "serve",
      dependencies: [
        "Calls", "CloudEvents", "FirestoreModel", "FunctionRuntime", "HTTPServer", "HTTPService",
        "HTTPTransport", "IDTokens", "JSONCoding", "Platform", "Processes", "RPCStatus", "Workers",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      path: "Functions/serve"
    ),

    // Shared: from the bottom up.
    .systemLibrary(
      name: "CLibcurl",
      path: "Shared/CLibcurl",
      pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]
    ),
    .systemLibrary(
      name: "CLibcrypto",
      path: "Shared/CLibcrypto",
      pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
    ),
    .target(name: "Platform", path: "Shared/Platform"),
    .target(name: "RPCStatus", path: "Shared/RPCStatus"),
    .target(name: "LanguageDetection", path: "Shared/LanguageDetection"),
    .target(
      name: "JSONCoding",
      dependencies: ["Platform", "RPCStatus"],
      path: "Shared/JSONCoding"
    ),
    .target(
      name: "FirestoreModel",
      dependencies: ["JSONCoding", "Platform", "RPCStatus"],
      path: "Shared/FirestoreModel"
    ),
    .target(
      name: "Cryptography",
      dependencies: ["CLibcrypto", "JSONCoding", "Platform", "RPCStatus"],
      path: "Shared/Cryptography"
    ),
    .target(
      name: "HTTPTransport",
      dependencies: ["CLibcurl", "Platform", "RPCStatus"],
      path: "Shared/HTTPTransport"
    ),
    .target(
      name: "FunctionRuntime",
      dependencies: [
        "FirestoreModel", "JSONCoding", "Platform", "RPCStatus",
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Shared/FunctionRuntime"
    ),
    .target(
      name: "GoogleAuth",
      dependencies: ["Cryptography", "HTTPTransport", "JSONCoding", "Platform", "RPCStatus"],
      path: "Shared/GoogleAuth"
    ),
    .target(
      name: "IDTokens",
      dependencies: [
        "Cryptography", "HTTPService", "HTTPTransport", "JSONCoding", "Platform", "RPCStatus",
      ],
      path: "Shared/IDTokens"
    ),
    .target(
      name: "FirestoreREST",
      dependencies: [
        "FirestoreModel", "GoogleAuth", "HTTPTransport", "JSONCoding", "Platform", "RPCStatus",
      ],
      path: "Shared/FirestoreREST"
    ),
    .target(
      name: "Leases",
      dependencies: ["FirestoreModel", "FirestoreREST", "Platform", "RPCStatus"],
      path: "Shared/Leases"
    ),
    .target(
      name: "Providers",
      dependencies: ["GoogleAuth", "HTTPTransport", "JSONCoding", "Platform", "RPCStatus"],
      path: "Shared/Providers"
    ),
    .target(
      name: "Chat",
      dependencies: [
        "Cryptography", "FirestoreModel", "FirestoreREST", "FunctionRuntime", "GoogleAuth",
        "HTTPTransport", "JSONCoding", "LanguageDetection", "Leases", "Platform", "Providers",
        "RPCStatus", .product(name: "Logging", package: "swift-log"),
      ],
      path: "Shared/Chat"
    ),

    // Shared by what runs functions: the emulator and serve.
    .target(name: "CProcess", path: "Shared/CProcess"),
    .target(
      name: "Processes",
      dependencies: ["CProcess", "Platform", "RPCStatus"],
      path: "Shared/Processes"
    ),
    .target(
      name: "FirestoreProtos",
      dependencies: [
        "FirestoreModel", "JSONCoding", "Platform", "RPCStatus",
        .product(name: "SwiftProtobuf", package: "swift-protobuf"),
      ],
      path: "Shared/FirestoreProtos",
      exclude: ["Protos"]
    ),
    .target(
      name: "HTTPService",
      dependencies: ["Cryptography", "JSONCoding", "Platform", "RPCStatus"],
      path: "Shared/HTTPService"
    ),
    .target(
      name: "CloudEvents",
      dependencies: [
        "FirestoreModel", "FirestoreProtos", "FunctionRuntime", "HTTPService", "JSONCoding",
        "Platform", "RPCStatus", .product(name: "SwiftProtobuf", package: "swift-protobuf"),
      ],
      path: "Shared/CloudEvents"
    ),
    .target(
      name: "Workers",
      dependencies: [
        "FirestoreModel", "FunctionRuntime", "JSONCoding", "Platform", "Processes", "RPCStatus",
      ],
      path: "Shared/Workers"
    ),
    .target(
      name: "Calls",
      dependencies: ["HTTPService", "JSONCoding", "Platform", "RPCStatus", "Workers"],
      path: "Shared/Calls"
    ),
    .target(
      name: "HTTPServer",
      dependencies: [
        "HTTPService", "Platform", "RPCStatus",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOExtras", package: "swift-nio-extras"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      path: "Shared/HTTPServer"
    ),

    // The emulator: store, triggers, provider doubles, servers, commands.
    .target(
      name: "Store",
      dependencies: [
        "Cryptography", "FirestoreModel", "JSONCoding", "Platform", "RPCStatus",
        .product(name: "DequeModule", package: "swift-collections"),
      ],
      path: "emulator/Store"
    ),
    .target(
      name: "Transfer",
      dependencies: [
        "CProcess", "Cryptography", "FirestoreModel", "FirestoreProtos", "JSONCoding", "Platform",
        "RPCStatus", "Store", .product(name: "SwiftProtobuf", package: "swift-protobuf"),
      ],
      path: "emulator/Transfer"
    ),
    .target(
      name: "Triggers",
      dependencies: [
        "CloudEvents", "FirestoreModel", "FunctionRuntime", "HTTPTransport", "JSONCoding",
        "Platform", "Processes", "RPCStatus", "Store", "Workers",
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "emulator/Triggers"
    ),
    .target(
      name: "FirestoreAPI",
      dependencies: [
        "Cryptography", "FirestoreModel", "FirestoreProtos", "GRPC", "HTTPService", "JSONCoding",
        "Platform", "RPCStatus", "Store", "Transfer",
        .product(name: "SwiftProtobuf", package: "swift-protobuf"),
      ],
      path: "emulator/FirestoreAPI"
    ),
    .target(
      name: "Doubles",
      dependencies: [
        "Cryptography", "HTTPService", "JSONCoding", "LanguageDetection", "Platform", "Processes",
        "RPCStatus",
      ],
      path: "emulator/Doubles"
    ),
    .systemLibrary(
      name: "CZlib",
      path: "emulator/CZlib",
      pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]
    ),
    .target(
      name: "Persistence",
      dependencies: [
        "CZlib", "FirestoreModel", "FirestoreProtos", "Platform", "RPCStatus", "Store",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "SwiftProtobuf", package: "swift-protobuf"),
      ],
      path: "emulator/Persistence"
    ),
    .target(
      name: "GRPC",
      dependencies: [
        "CZlib", "HTTPServer", "Platform", "RPCStatus",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHPACK", package: "swift-nio-http2"),
        .product(name: "NIOHTTP2", package: "swift-nio-http2"),
        .product(name: "SwiftProtobuf", package: "swift-protobuf"),
      ],
      path: "emulator/GRPC"
    ),
    .target(
      name: "Server",
      dependencies: [
        "Calls", "CloudEvents", "Doubles", "FirestoreModel", "FunctionRuntime",
        "HTTPServer", "HTTPService", "HTTPTransport", "JSONCoding", "Platform", "RPCStatus",
        "Store", "Transfer", "Triggers", "Workers",
      ],
      path: "emulator/Server"
    ),
    .target(name: "CPages", path: "emulator/Pages", exclude: ["screenshots", "www"]),
    .target(
      name: "UI",
      dependencies: [
        "Calls", "CPages", "Cryptography", "FirestoreAPI", "FirestoreModel", "FirestoreProtos",
        "FunctionRuntime", "GRPC", "HTTPService", "JSONCoding", "Platform", "Providers",
        "RPCStatus", "Recording", "Server", "Store", "Transfer", "Triggers", "Workers",
        .product(name: "DequeModule", package: "swift-collections"),
      ],
      path: "emulator/UI"
    ),
    .target(
      name: "Recording",
      dependencies: [
        "Cryptography", "Doubles", "FirestoreAPI", "FirestoreModel", "FunctionRuntime",
        "HTTPServer", "HTTPService", "JSONCoding", "Platform", "Processes", "RPCStatus", "Server",
        "Store", "Transfer", "Triggers", "Workers",
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "emulator/Recording"
    ),
    .target(
      name: "PassThrough",
      dependencies: [
        "Doubles", "GoogleAuth", "HTTPService", "HTTPTransport", "JSONCoding", "Platform",
        "Providers", "RPCStatus",
      ],
      path: "emulator/PassThrough"
    ),
    .executableTarget(
      name: "emulator",
      dependencies: [
        "Calls", "CloudEvents", "Cryptography", "Doubles", "FirestoreAPI", "FirestoreModel",
        "FunctionRuntime", "GRPC", "GoogleAuth",
        "HTTPServer", "HTTPService", "HTTPTransport", "JSONCoding", "PassThrough", "Persistence",
        "Platform",
        "Processes", "Providers", "RPCStatus", "Recording", "Server", "Store", "Transfer",
        "Triggers", "UI", "Workers",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      path: "emulator/main"
    ),
  ]
)

/// A folder of Tests, one for each target.
func tests(_ target: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: "\(target)Tests",
    dependencies: dependencies + ["Platform", "RPCStatus", "TestKit"],
    path: "Tests/\(target)Tests"
  )
}

package.targets += [
  .target(
    name: "TestKit",
    dependencies: [
      "FirestoreModel", "GoogleAuth", "HTTPService", "HTTPTransport", "JSONCoding", "Platform",
      "Processes", "RPCStatus",
    ],
    path: "Tests/TestKit"
  ),
  tests("LanguageDetection", ["LanguageDetection"]),
  tests("JSONCoding", ["JSONCoding", "FirestoreModel"]),
  tests("FirestoreModel", ["FirestoreModel", "JSONCoding"]),
  tests("HTTPTransport", ["HTTPTransport"]),
  tests("Cryptography", ["Cryptography", "JSONCoding"]),
  tests(
    "FunctionRuntime",
    [
      "FirestoreModel", "FunctionRuntime", "JSONCoding",
      .product(name: "Logging", package: "swift-log"),
    ]
  ),
  tests("GoogleAuth", ["Cryptography", "GoogleAuth", "HTTPTransport", "JSONCoding"]),
  tests("IDTokens", ["Cryptography", "HTTPService", "HTTPTransport", "IDTokens", "JSONCoding"]),
  tests("Providers", ["GoogleAuth", "HTTPService", "HTTPTransport", "JSONCoding", "Providers"]),
  tests("FirestoreREST", ["FirestoreModel", "FirestoreREST", "GoogleAuth", "HTTPTransport"]),
  tests(
    "Leases",
    ["emulator", "FirestoreModel", "FirestoreREST", "HTTPService", "HTTPTransport", "Leases"]
  ),
  tests(
    "Chat",
    [
      "Chat", "FirestoreModel", "FirestoreREST", "FunctionRuntime", "HTTPTransport", "Leases",
      "Providers", .product(name: "Logging", package: "swift-log"),
    ]
  ),
  tests(
    "Functions",
    [
      "analyzeMessage", "askAI", "Chat", "FirestoreModel", "FirestoreREST", "FunctionRuntime",
      "JSONCoding", "Providers", "sendNotification", "smartReplies", "translateMessage",
    ]
  ),
  tests("Processes", ["Processes"]),
  .executableTarget(
    name: "echoServer",
    dependencies: [
      "GRPC", "HTTPServer", "HTTPService", "Platform", "RPCStatus", "Server",
      .product(name: "Logging", package: "swift-log"),
      .product(name: "NIOPosix", package: "swift-nio"),
      .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      .product(name: "SwiftProtobuf", package: "swift-protobuf"),
    ],
    path: "Tests/EchoServer"
  ),
  .executableTarget(name: "greet", dependencies: ["FunctionRuntime"], path: "Tests/Greet"),
  .executableTarget(
    name: "listenLoad",
    dependencies: [
      "FirestoreProtos", "Platform",
      .product(name: "ArgumentParser", package: "swift-argument-parser"),
      .product(name: "NIOCore", package: "swift-nio"),
      .product(name: "NIOHPACK", package: "swift-nio-http2"),
      .product(name: "NIOPosix", package: "swift-nio"),
      .product(name: "SwiftProtobuf", package: "swift-protobuf"),
    ],
    path: "Tests/ListenLoad"
  ),
  tests(
    "GRPC",
    [
      "echoServer", "FirestoreAPI", "FirestoreModel", "FirestoreProtos", "GRPC", "HTTPServer",
      "Server", "Store",
      .product(name: "Logging", package: "swift-log"),
      .product(name: "NIOCore", package: "swift-nio"),
      .product(name: "NIOHPACK", package: "swift-nio-http2"),
      .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      .product(name: "SwiftProtobuf", package: "swift-protobuf"),
    ]
  ),
  tests("Store", ["FirestoreModel", "JSONCoding", "Store"]),
  .target(
    name: "UnsyncedFiles",
    path: "Tests/UnsyncedFiles",
    linkerSettings: [.linkedLibrary("sqlite3")]
  ),
  tests(
    "Persistence",
    [
      "FirestoreModel", "Persistence", "Store", "UnsyncedFiles",
      .product(name: "GRDB", package: "GRDB.swift"),
    ]
  ),
  tests(
    "Transfer",
    [
      "Cryptography", "FirestoreModel", "FirestoreProtos", "Store", "Transfer",
      .product(name: "SwiftProtobuf", package: "swift-protobuf"),
    ]
  ),
  tests(
    "FirestoreAPI",
    [
      "Cryptography", "FirestoreAPI", "FirestoreModel", "FirestoreProtos", "GRPC", "HTTPService",
      "JSONCoding", "Store", "Transfer",
      .product(name: "SwiftProtobuf", package: "swift-protobuf"),
    ]
  ),
  tests(
    "CloudEvents",
    ["CloudEvents", "FirestoreModel", "FunctionRuntime", "HTTPService", "JSONCoding"]
  ),
  tests(
    "Doubles",
    ["Cryptography", "Doubles", "HTTPService", "JSONCoding", "LanguageDetection", "Processes"]
  ),
  tests(
    "Triggers",
    [
      "CloudEvents", "FirestoreModel", "FunctionRuntime", "HTTPTransport", "Processes", "Store",
      "Triggers", "Workers",
      .product(name: "Logging", package: "swift-log"),
    ]
  ),
  tests(
    "Server",
    [
      "CloudEvents", "Doubles", "FirestoreModel", "FunctionRuntime", "HTTPService",
      "HTTPTransport", "JSONCoding", "Recording", "Server", "Triggers", "Workers",
      .product(name: "Logging", package: "swift-log"),
    ]
  ),
  tests(
    "HTTPServer",
    [
      "HTTPServer", "HTTPService", .product(name: "Logging", package: "swift-log"),
      .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
    ]
  ),
  tests(
    "Serve",
    ["Cryptography", "HTTPTransport", "JSONCoding", "Processes", "serve", "translateMessage"]
  ),
  tests("UI", ["UI"]),
  tests(
    "Recording",
    [
      "Cryptography", "Doubles", "FirestoreModel", "FunctionRuntime", "HTTPService", "JSONCoding",
      "Processes", "Recording", "Store", "Triggers", "Workers",
    ]
  ),
  tests(
    "PassThrough",
    [
      "Doubles", "HTTPService", "HTTPTransport", "JSONCoding", "PassThrough", "Providers",
    ]
  ),
  tests(
    "EndToEnd",
    [
      "Cryptography", "FirestoreModel", "HTTPService", "HTTPTransport", "JSONCoding", "Processes",
      "Recording", "emulator", "analyzeMessage", "askAI", "forgetUser", "sendNotification",
      "smartReplies",
      "translateMessage",
    ]
  ),
]

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
  ]
}

// Release executables carry the Swift runtime with them: a cold start then costs a third, and a
// machine without Swift can run them. The libraries that go with a static Foundation are named by
// the module that imports it, so each executable's @main file does so itself.
for target in package.targets where target.type == .executable {
  let flags = ["-static-stdlib"]
  target.swiftSettings?.append(
    .unsafeFlags(flags, .when(platforms: [.linux], configuration: .release))
  )
  target.linkerSettings = [
    .unsafeFlags(flags, .when(platforms: [.linux], configuration: .release))
  ]
}
