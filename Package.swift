// swift-tools-version: 6.2
import PackageDescription

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
      dependencies: [
        "Chat", "Core", "FirestoreClient", "FirestoreModel", "FunctionRuntime",
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Functions/translateMessage"
    ),
    .executableTarget(
      name: "sendNotification",
      dependencies: [
        "Chat", "Core", "FirestoreClient", "FirestoreModel", "FunctionRuntime", "Providers",
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Functions/sendNotification"
    ),
    .executableTarget(
      name: "analyzeMessage",
      dependencies: [
        "Chat", "Core", "FirestoreClient", "FirestoreModel", "FunctionRuntime",
        "LanguageDetection", "Providers",
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Functions/analyzeMessage"
    ),
    .executableTarget(
      name: "smartReplies",
      dependencies: [
        "Chat", "Core", "FirestoreClient", "FirestoreModel", "FunctionRuntime", "Providers",
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Functions/smartReplies"
    ),
    .executableTarget(
      name: "askAI",
      dependencies: [
        "Chat", "Core", "FirestoreClient", "FirestoreModel", "FunctionRuntime",
        "LanguageDetection", "Providers",
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Functions/askAI"
    ),
    .executableTarget(
      name: "forgetUser",
      dependencies: [
        "Chat", "Core", "FirestoreClient", "FirestoreModel", "FunctionRuntime",
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Functions/forgetUser"
    ),
    .executableTarget(
      name: "serve",
      dependencies: [
        "CloudEvents", "Core", "FirestoreModel", "FunctionHost", "FunctionRuntime", "GoogleAuth",
        "HTTPClient", "HTTPServer", "HTTPService",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      path: "Functions/serve"
    ),

    // Shared by functions, serve and the emulator, from the bottom up.
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
    .target(name: "CProcess", path: "Shared/CProcess"),
    .target(
      name: "Core",
      path: "Shared/Core"
    ),
    .target(
      name: "Cryptography",
      dependencies: [
        "CLibcrypto", "Core",
      ],
      path: "Shared/Cryptography"
    ),
    .target(
      name: "FirestoreModel",
      dependencies: [
        "Core"
      ],
      path: "Shared/FirestoreModel"
    ),
    .target(
      name: "HTTPClient",
      dependencies: [
        "CLibcurl", "Core",
      ],
      path: "Shared/HTTPClient"
    ),
    .target(
      name: "GoogleAuth",
      dependencies: [
        "Core", "Cryptography", "HTTPClient", "HTTPService",
      ],
      path: "Shared/GoogleAuth"
    ),
    .target(
      name: "FirestoreClient",
      dependencies: [
        "Core", "FirestoreModel", "GoogleAuth", "HTTPClient",
      ],
      path: "Shared/FirestoreClient"
    ),
    .target(
      name: "FunctionRuntime",
      dependencies: [
        "Core", "FirestoreModel",
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Shared/FunctionRuntime"
    ),
    .target(
      name: "LanguageDetection",
      path: "Shared/LanguageDetection"
    ),
    .target(
      name: "Providers",
      dependencies: [
        "Core", "GoogleAuth", "HTTPClient",
      ],
      path: "Shared/Providers"
    ),
    .target(
      name: "Chat",
      dependencies: [
        "Core", "Cryptography", "FirestoreClient", "FirestoreModel", "FunctionRuntime",
        "GoogleAuth", "HTTPClient", "LanguageDetection", "Providers",
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Shared/Chat"
    ),
    .target(
      name: "HTTPService",
      dependencies: [
        "Core", "Cryptography",
      ],
      path: "Shared/HTTPService"
    ),
    .target(
      name: "HTTPServer",
      dependencies: [
        "Core", "HTTPService",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOExtras", package: "swift-nio-extras"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      path: "Shared/HTTPServer"
    ),
    .target(
      name: "FunctionHost",
      dependencies: [
        "Core", "CProcess", "FirestoreModel", "FunctionRuntime", "HTTPService",
      ],
      path: "Shared/FunctionHost"
    ),
    .target(
      name: "FirestoreProtos",
      dependencies: [
        "Core", "FirestoreModel",
        .product(name: "SwiftProtobuf", package: "swift-protobuf"),
      ],
      path: "Shared/FirestoreProtos",
      exclude: ["Protos"]
    ),
    .target(
      name: "CloudEvents",
      dependencies: [
        "Core", "FirestoreModel", "FirestoreProtos", "FunctionRuntime", "HTTPService",
        .product(name: "SwiftProtobuf", package: "swift-protobuf"),
      ],
      path: "Shared/CloudEvents"
    ),

    // The emulator: store, delivery, provider fakes, services, commands.
    .systemLibrary(
      name: "CZlib",
      path: "emulator/CZlib",
      pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]
    ),
    .target(name: "CPages", path: "emulator/Pages", exclude: ["screenshots", "www"]),
    .target(
      name: "Store",
      dependencies: [
        "Core", "Cryptography", "FirestoreModel",
        .product(name: "DequeModule", package: "swift-collections"),
      ],
      path: "emulator/Store"
    ),
    .target(
      name: "Persistence",
      dependencies: [
        "Core", "CProcess", "Cryptography", "CZlib", "FirestoreModel", "FirestoreProtos", "Store",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "SwiftProtobuf", package: "swift-protobuf"),
      ],
      path: "emulator/Persistence"
    ),
    .target(
      name: "GRPC",
      dependencies: [
        "Core", "CZlib", "HTTPServer",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHPACK", package: "swift-nio-http2"),
        .product(name: "NIOHTTP2", package: "swift-nio-http2"),
        .product(name: "SwiftProtobuf", package: "swift-protobuf"),
      ],
      path: "emulator/GRPC"
    ),
    .target(
      name: "FirestoreAPI",
      dependencies: [
        "Core", "Cryptography", "FirestoreModel", "FirestoreProtos", "GRPC", "HTTPService",
        "Persistence", "Store",
        .product(name: "SwiftProtobuf", package: "swift-protobuf"),
      ],
      path: "emulator/FirestoreAPI"
    ),
    .target(
      name: "Delivery",
      dependencies: [
        "CloudEvents", "Core", "FirestoreModel", "FunctionHost", "FunctionRuntime", "HTTPClient",
        "Store",
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "emulator/Delivery"
    ),
    .target(
      name: "ProviderFakes",
      dependencies: [
        "Core", "Cryptography", "FunctionHost", "HTTPService", "LanguageDetection",
      ],
      path: "emulator/ProviderFakes"
    ),
    .target(
      name: "ProviderProxy",
      dependencies: [
        "Core", "GoogleAuth", "HTTPClient", "HTTPService", "ProviderFakes", "Providers",
      ],
      path: "emulator/ProviderProxy"
    ),
    .target(
      name: "Recording",
      dependencies: [
        "Core", "Cryptography", "Delivery", "FirestoreAPI", "FirestoreModel", "FunctionHost",
        "FunctionRuntime", "HTTPServer", "HTTPService", "Persistence", "ProviderFakes", "Services",
        "Store",
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "emulator/Recording"
    ),
    .target(
      name: "Services",
      dependencies: [
        "CloudEvents", "Core", "Delivery", "FirestoreModel", "FunctionHost", "FunctionRuntime",
        "HTTPClient", "HTTPServer", "HTTPService", "Persistence", "ProviderFakes", "Store",
      ],
      path: "emulator/Services"
    ),
    .target(
      name: "UI",
      dependencies: [
        "Core", "CPages", "Cryptography", "Delivery", "FirestoreAPI", "FirestoreModel",
        "FirestoreProtos", "FunctionHost", "FunctionRuntime", "GRPC", "HTTPService", "Persistence",
        "Providers", "Recording", "Services", "Store",
        .product(name: "DequeModule", package: "swift-collections"),
      ],
      path: "emulator/UI"
    ),
    .executableTarget(
      name: "emulator",
      dependencies: [
        "CloudEvents", "Core", "Cryptography", "Delivery", "FirestoreAPI", "FirestoreModel",
        "FunctionHost", "FunctionRuntime", "GoogleAuth", "GRPC", "HTTPClient", "HTTPServer",
        "HTTPService", "Persistence", "ProviderFakes", "ProviderProxy", "Providers", "Recording",
        "Services", "Store", "UI",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      path: "emulator/main"
    ),
  ]
)

/// A folder of Tests, one for each target. The programs that its tests run are dependencies, too:
/// nothing else would build them.
func tests(_ target: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: "\(target)Tests",
    dependencies: dependencies + ["Core", "TestKit"],
    path: "Tests/\(target)Tests"
  )
}

package.targets += [
  .target(
    name: "TestKit",
    dependencies: [
      "Core", "FirestoreModel", "FunctionHost", "GoogleAuth", "HTTPClient", "HTTPService",
    ],
    path: "Tests/TestKit"
  ),
  .executableTarget(
    name: "echoServer",
    dependencies: [
      "Core", "GRPC", "HTTPServer", "HTTPService", "Services",
      .product(name: "Logging", package: "swift-log"),
      .product(name: "NIOPosix", package: "swift-nio"),
      .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      .product(name: "SwiftProtobuf", package: "swift-protobuf"),
    ],
    path: "Tests/EchoServer"
  ),
  .executableTarget(
    name: "greet",
    dependencies: [
      "Core", "FunctionRuntime",
    ],
    path: "Tests/Greet"
  ),
  .executableTarget(
    name: "listenLoad",
    dependencies: [
      "Core", "FirestoreProtos",
      .product(name: "ArgumentParser", package: "swift-argument-parser"),
      .product(name: "NIOCore", package: "swift-nio"),
      .product(name: "NIOHPACK", package: "swift-nio-http2"),
      .product(name: "NIOPosix", package: "swift-nio"),
      .product(name: "SwiftProtobuf", package: "swift-protobuf"),
    ],
    path: "Tests/ListenLoad"
  ),
  .target(
    name: "UnsyncedFiles",
    path: "Tests/UnsyncedFiles",
    linkerSettings: [.linkedLibrary("sqlite3")]
  ),
  tests(
    "Chat",
    [
      "Chat", "FirestoreClient", "FirestoreModel", "FunctionRuntime", "HTTPClient",
      "LanguageDetection", "Providers",
      .product(name: "Logging", package: "swift-log"),
    ]
  ),
  tests("CloudEvents", ["CloudEvents", "FirestoreModel", "FunctionRuntime", "HTTPService"]),
  tests("Core", ["FirestoreModel"]),
  tests("Cryptography", ["Cryptography"]),
  tests(
    "Delivery",
    [
      "CloudEvents", "Delivery", "FirestoreModel", "FunctionHost", "FunctionRuntime", "HTTPClient",
      "Store",
      .product(name: "Logging", package: "swift-log"),
    ]
  ),
  tests(
    "EndToEnd",
    [
      "analyzeMessage", "askAI", "Cryptography", "emulator", "FirestoreModel", "forgetUser",
      "FunctionHost", "HTTPClient", "HTTPService", "sendNotification", "smartReplies",
      "translateMessage",
    ]
  ),
  tests(
    "FirestoreAPI",
    [
      "Cryptography", "FirestoreAPI", "FirestoreModel", "FirestoreProtos", "GRPC", "HTTPService",
      "Persistence", "Store",
      .product(name: "SwiftProtobuf", package: "swift-protobuf"),
    ]
  ),
  tests(
    "FirestoreClient",
    ["FirestoreClient", "FirestoreModel", "GoogleAuth", "HTTPClient", "HTTPService"]
  ),
  tests("FirestoreModel", ["FirestoreModel"]),
  tests("FunctionHost", ["FunctionHost"]),
  tests(
    "FunctionRuntime",
    [
      "FirestoreModel", "FunctionRuntime",
      .product(name: "Logging", package: "swift-log"),
    ]
  ),
  tests(
    "Functions",
    [
      "analyzeMessage", "askAI", "Chat", "FirestoreClient", "FirestoreModel", "FunctionRuntime",
      "Providers", "sendNotification", "smartReplies", "translateMessage",
    ]
  ),
  tests(
    "GRPC",
    [
      "echoServer", "FirestoreAPI", "FirestoreModel", "FirestoreProtos", "GRPC", "HTTPServer",
      "Services", "Store",
      .product(name: "Logging", package: "swift-log"),
      .product(name: "NIOCore", package: "swift-nio"),
      .product(name: "NIOHPACK", package: "swift-nio-http2"),
      .product(name: "NIOPosix", package: "swift-nio"),
      .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      .product(name: "SwiftProtobuf", package: "swift-protobuf"),
    ]
  ),
  tests("GoogleAuth", ["Cryptography", "GoogleAuth", "HTTPClient", "HTTPService"]),
  tests("HTTPClient", ["HTTPClient"]),
  tests(
    "HTTPServer",
    [
      "HTTPServer", "HTTPService",
      .product(name: "Logging", package: "swift-log"),
      .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
    ]
  ),
  tests("LanguageDetection", ["LanguageDetection"]),
  tests(
    "Persistence",
    [
      "Cryptography", "FirestoreModel", "FirestoreProtos", "Persistence", "Store", "UnsyncedFiles",
      .product(name: "GRDB", package: "GRDB.swift"),
      .product(name: "SwiftProtobuf", package: "swift-protobuf"),
    ]
  ),
  tests(
    "ProviderFakes",
    [
      "Cryptography", "FunctionHost", "HTTPService", "LanguageDetection", "ProviderFakes",
    ]
  ),
  tests(
    "ProviderProxy",
    ["HTTPClient", "HTTPService", "ProviderFakes", "ProviderProxy", "Providers"]
  ),
  tests("Providers", ["GoogleAuth", "HTTPClient", "HTTPService", "Providers"]),
  tests(
    "Recording",
    [
      "Cryptography", "Delivery", "FirestoreModel", "FunctionHost", "FunctionRuntime",
      "HTTPService", "ProviderFakes", "Recording",
    ]
  ),
  tests("Serve", ["Cryptography", "FunctionHost", "HTTPClient", "serve", "translateMessage"]),
  tests(
    "Services",
    [
      "CloudEvents", "Delivery", "FirestoreModel", "FunctionHost", "FunctionRuntime", "HTTPClient",
      "HTTPService", "ProviderFakes", "Recording", "Services",
      .product(name: "Logging", package: "swift-log"),
    ]
  ),
  tests("Store", ["FirestoreModel", "Store"]),
  tests("UI", ["UI"]),
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
