package gatebook.events.fault;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An unsupported feature: the protocol has it, and the gateway or the caller does not support it.
 */
public sealed interface Unsupported extends ClientFault {

  /** The agent sends no push notifications. */
  record PushNotificationNotSupported() implements Unsupported {}

  /** The operation, or this use of it, is not supported. */
  record UnsupportedOperation(String operation, @Nullable String reason) implements Unsupported {}

  /**
   * A part of the message, or the requested output, has a media type that the agent does not
   * accept.
   */
  record ContentTypeNotSupported(String contentType, List<String> accepted) implements Unsupported {
    public ContentTypeNotSupported {
      accepted = List.copyOf(accepted);
    }
  }

  /** The agent has no extended card. */
  record ExtendedAgentCardNotConfigured() implements Unsupported {}

  /** The agent requires an extension that the client did not declare. */
  record ExtensionSupportRequired(String extension) implements Unsupported {}

  /**
   * The call requires capabilities that the client did not declare.
   *
   * @param required their names; an extension's id follows after {@code extensions.}
   */
  record ClientCapabilityMissing(List<String> required) implements Unsupported {
    public static final String EXTENSIONS = "extensions.";

    public ClientCapabilityMissing {
      required = List.copyOf(required);
    }
  }

  /** The requested version is not among those supported here. */
  record VersionNotSupported(String requested, List<String> supported) implements Unsupported {
    public VersionNotSupported {
      supported = List.copyOf(supported);
    }
  }
}
