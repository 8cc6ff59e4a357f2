package gatebook.events.fault;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Something the protocol knows and this side, or the caller's, does not do. */
public sealed interface Unsupported extends ClientFault {

  /** The agent sends no push notifications. */
  record PushNotificationNotSupported() implements Unsupported {}

  /** The operation, or this use of it, is not supported. */
  record UnsupportedOperation(String operation, @Nullable String reason) implements Unsupported {}

  /** A part of the message, or the output asked for, is in a media type the agent does not take. */
  record ContentTypeNotSupported(String contentType, List<String> accepted) implements Unsupported {
    public ContentTypeNotSupported {
      accepted = List.copyOf(accepted);
    }
  }

  /** The agent has no extended card. */
  record ExtendedAgentCardNotConfigured() implements Unsupported {}

  /** The agent requires an extension that the client did not declare. */
  record ExtensionSupportRequired(String extension) implements Unsupported {}

  /** The call requires capabilities that the client did not declare. */
  record ClientCapabilityMissing(List<String> required) implements Unsupported {
    public ClientCapabilityMissing {
      required = List.copyOf(required);
    }
  }

  /** The version asked for is none of those spoken here. */
  record VersionNotSupported(String requested, List<String> supported) implements Unsupported {
    public VersionNotSupported {
      supported = List.copyOf(supported);
    }
  }
}
