package gatebook.api.dialect;

import gatebook.events.fault.Malformed;
import gatebook.events.fault.Unsupported;

/** Codes of JSON-RPC for the faults for which a vocabulary has no code of its own. */
final class JsonRpcCodes {

  private static final int OK = 200;
  private static final int PAYLOAD_TOO_LARGE = 413;
  private static final int UNSUPPORTED_MEDIA_TYPE = 415;

  private JsonRpcCodes() {}

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

  static JsonRpcError of(Malformed fault) {
    return switch (fault) {
      case Malformed.ParseError _,
          Malformed.LengthMismatch _,
          Malformed.LengthMissing _,
          Malformed.HeaderMalformed _,
          Malformed.ReadTimeout _ ->
          JsonRpcError.PARSE_ERROR;
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
          JsonRpcError.INVALID_REQUEST;
    };
  }

  static JsonRpcError of(Unsupported fault) {
    return switch (fault) {
      case Unsupported.PushNotificationNotSupported _,
          Unsupported.UnsupportedOperation _,
          Unsupported.ExtendedAgentCardNotConfigured _ ->
          JsonRpcError.METHOD_NOT_FOUND;
      case Unsupported.ContentTypeNotSupported _, Unsupported.VersionNotSupported _ ->
          JsonRpcError.INVALID_PARAMS;
      case Unsupported.ExtensionSupportRequired _, Unsupported.ClientCapabilityMissing _ ->
          JsonRpcError.INVALID_REQUEST;
    };
  }
}
