package gatebook.api.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.call.Bytes;
import gatebook.events.journal.tree.Sha256;
import java.util.List;
import java.util.Optional;

/**
 * A bearer token that authenticates a client. Of one that is no signed token only its SHA-256 is
 * compared, so that response times do not reveal how close a guess came.
 */
public final class BearerToken {

  private static final String SCHEME = "Bearer ";

  private final String text;
  private final Bytes hash;

  private BearerToken(String text) {
    this.text = text;
    this.hash = hash(text);
  }

  /** Empty unless there is exactly one header, with this scheme. */
  public static Optional<BearerToken> of(List<String> authorization) {
    return authorization.size() == 1
            && authorization.getFirst().regionMatches(true, 0, SCHEME, 0, SCHEME.length())
        ? Optional.of(new BearerToken(authorization.getFirst().substring(SCHEME.length()).strip()))
        : Optional.empty();
  }

  /** The hash that is configured instead of the token itself. */
  public static Bytes hash(String token) {
    return Bytes.of(Sha256.of(token.getBytes(UTF_8)));
  }

  /** The token itself, whose signature may be verified. */
  public String text() {
    return text;
  }

  /** The SHA-256 of the token. */
  public Bytes hash() {
    return hash;
  }
}
