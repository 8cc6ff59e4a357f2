package gatebook.api.dialect;

import gatebook.events.fault.Malformed;
import gatebook.events.fault.Unsupported;

/** The errors of JSON-RPC itself: its codes and their messages. */
enum JsonRpcError {
  PARSE_ERROR(-32700, "Parse error"),
  INVALID_REQUEST(-32600, "Invalid Request"),
  METHOD_NOT_FOUND(-32601, "Method not found"),
  INVALID_PARAMS(-32602, "Invalid params"),
  INTERNAL_ERROR(-32603, "Internal error");

  private static final int OK = 200;
  private static final int PAYLOAD_TOO_LARGE = 413;
  private static final int UNSUPPORTED_MEDIA_TYPE = 415;

  private final int code;
  private final String message;

  JsonRpcError(int code, String message) {
    this.code = code;
    this.message = message;
  }

  int code() {
    return code;
  }

  String message() {
    return message;
  }

  /**
   * A fault in JSON-RPC is an error response with status 200; only one in HTTP has its own status.
   */
  static int httpStatus(Malformed fault) {
    return switch (fault) {
      case Malformed.UnsupportedContentEncoding _ -> UNSUPPORTED_MEDIA_TYPE;
      case Malformed.Oversize oversize when Boolean.TRUE.equals(oversize.endless()) ->
          PAYLOAD_TOO_LARGE;
      case Malformed _ -> OK;
    };
  }

  /** The error for a message that is not a call. */
  static JsonRpcError of(Malformed fault) {
    return switch (fault) {
      case Malformed.ParseError _,
          Malformed.LengthMismatch _,
          Malformed.LengthMissing _,
          Malformed.HeaderMalformed _,
          Malformed.ReadTimeout _ ->
          PARSE_ERROR;
      case Malformed.HeaderTooLarge _,
          Malformed.Oversize _,
          Malformed.UnsupportedContentType _,
          Malformed.UnsupportedContentEncoding _,
          Malformed.BadCharset _,
          Malformed.InvalidRequest _,
          Malformed.InvalidIdType _,
          Malformed.BatchNotSupported _,
          Malformed.UnknownSession _,
          Malformed.DuplicateKey _,
          Malformed.TooDeep _ ->
          INVALID_REQUEST;
    };
  }

  /** The error in vocabularies that have no code of their own for it. */
  static JsonRpcError of(Unsupported fault) {
    return switch (fault) {
      case Unsupported.PushNotificationNotSupported _,
          Unsupported.UnsupportedOperation _,
          Unsupported.ExtendedAgentCardNotConfigured _ ->
          METHOD_NOT_FOUND;
      case Unsupported.ContentTypeNotSupported _, Unsupported.VersionNotSupported _ ->
          INVALID_PARAMS;
      case Unsupported.ExtensionSupportRequired _, Unsupported.ClientCapabilityMissing _ ->
          INVALID_REQUEST;
    };
  }
}
