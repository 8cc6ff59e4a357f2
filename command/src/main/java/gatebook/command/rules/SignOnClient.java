package gatebook.command.rules;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A client of an issuer: the console, at which operators sign in.
 *
 * @param secret empty for a public client, which has none
 * @param scopes that are asked for
 */
public record SignOnClient(String id, Optional<Secret> secret, List<String> scopes) {
  /** Without this scope there is no ID token. */
  public static final String OPEN_ID = "openid";

  public SignOnClient {
    scopes = List.copyOf(scopes);
  }

  /** Where the secret of a client is. */
  public sealed interface Secret {
    /** In the rules. */
    record Text(String text) implements Secret {
      @Override
      public String toString() {
        return "Text";
      }
    }

    /** In a file, which is read each time. */
    record Stored(Path file) implements Secret {}
  }
}
