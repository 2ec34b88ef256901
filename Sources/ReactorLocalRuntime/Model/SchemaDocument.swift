import ReactorTypes

/// The OpenAPI document that describes a model's commands and tracks.
enum SchemaDocument {
  static func make(_ model: any LocalModel) -> JSONValue {
    var paths: [String: JSONValue] = [:]
    for command in model.commands {
      var properties: [String: JSONValue] = [:]
      for parameter in command.parameters { properties[parameter.name] = schema(parameter.kind) }
      let required = command.parameters.filter(\.isRequired).map { JSONValue.string($0.name) }
      paths["/events/\(command.name)"] = [
        "post": [
          "operationId": .string(command.name), "summary": .string(command.summary),
          "requestBody": [
            "content": [
              "application/json": [
                "schema": [
                  "type": "object", "properties": .object(properties), "required": .array(required),
                ]
              ]
            ]
          ],
          "responses": ["202": ["description": "accepted"]],
        ]
      ]
    }
    let tracks = model.tracks.map { track -> JSONValue in
      [
        "name": .string(track.name), "kind": .string(track.kind.rawValue),
        "direction": .string(track.direction.rawValue),
      ]
    }
    return [
      "openapi": "3.1.0", "info": ["title": .string(model.name), "version": "v0.0.0"],
      "paths": .object(paths),
      "x-reactor": ["tracks": .array(tracks)],
      "components": [
        "schemas": [
          "ReactorUploadReference": [
            "type": "object", "format": "reactor-upload-reference",
            "required": ["upload_id", "name", "mime_type", "size"],
          ]
        ]
      ],
    ]
  }

  private static func schema(_ kind: LocalModelCommand.ParameterKind) -> JSONValue {
    switch kind {
    case .string, .number, .boolean: ["type": .string(kind.rawValue)]
    case .upload: ["$ref": "#/components/schemas/ReactorUploadReference"]
    case .any: [:]
    }
  }
}
