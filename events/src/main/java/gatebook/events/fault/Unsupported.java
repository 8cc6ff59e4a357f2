package gatebook.events.fault;

import gatebook.events.call.Erasable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An unsupported feature: the protocol has it, and the gateway or the caller does not support it.
 */
public sealed interface Unsupported extends ClientFault {

  /** The agent sends no push notifications. */
  record PushNotificationNotSupported() implements Unsupported {
    @Override
    public PublicFault shown() {
      return PublicFault.of("Push notifications are not supported")
          .details("push notifications are not supported");
    }
  }

  /** The operation, or this use of it, is not supported. */
  record UnsupportedOperation(
      @FromCaller String operation, @Erasable @FromCaller @Nullable String reason)
      implements Unsupported {
    @Override
    public PublicFault shown() {
      return PublicFault.of("Operation is not supported").details("the operation is not supported");
    }
  }

  /**
   * A part of the message, or the requested output, has a media type that the agent does not
   * accept.
   */
  record ContentTypeNotSupported(
      @Erasable @FromCaller String contentType, @NotLogged List<String> accepted)
      implements Unsupported {
    public ContentTypeNotSupported {
      accepted = List.copyOf(accepted);
    }

    @Override
    public PublicFault shown() {
      return PublicFault.of("Content type is not supported")
          .details("the media type is not supported")
          .accepting("contentType", "a supported media type", accepted);
    }
  }

  /** The agent has no extended card. */
  record ExtendedAgentCardNotConfigured() implements Unsupported {
    @Override
    public PublicFault shown() {
      return PublicFault.of("There is no extended agent card").details("there is no extended card");
    }
  }

  /** The agent requires an extension that the client did not declare. */
  record ExtensionSupportRequired(@Erasable @FromCaller String extension) implements Unsupported {
    @Override
    public PublicFault shown() {
      return PublicFault.of("Extension is required")
          .because("extension-required")
          .details(extension);
    }
  }

  /**
   * The call requires capabilities that the client did not declare.
   *
   * @param required their names; an extension's id follows after {@code extensions.}
   */
  record ClientCapabilityMissing(@Erasable @NotLogged List<String> required)
      implements Unsupported {
    public static final String EXTENSIONS = "extensions.";

    public ClientCapabilityMissing {
      required = List.copyOf(required);
    }

    @Override
    public PublicFault shown() {
      return PublicFault.of("Client capability is required")
          .because("capability-missing")
          .details(String.join(", ", required));
    }
  }

  /** The requested version is not among those supported here. */
  record VersionNotSupported(
      @Erasable @FromCaller String requested, @NotLogged List<String> supported)
      implements Unsupported {
    public VersionNotSupported {
      supported = List.copyOf(supported);
    }

    @Override
    public PublicFault shown() {
      return PublicFault.of("Version is not supported")
          .because("version-not-supported")
          .details("the protocol version is not supported")
          .accepting("protocolVersion", "a supported version", supported);
    }
  }
}
