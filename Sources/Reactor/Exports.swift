// The values that the API shares with the modules below it are users' types too.
@_exported import ReactorTypes
