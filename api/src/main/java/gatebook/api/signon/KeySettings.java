package gatebook.api.signon;

import gatebook.command.rules.ClientTlsFiles;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.command.rules.TokenIssuer;
import java.net.URI;
import java.util.Optional;

/**
 * How the keys of an issuer are read and kept. Rules with the same settings use the same keys.
 *
 * @param issuer as its tokens name it
 * @param keys where they are; empty when the metadata of the issuer says so
 * @param tls the files for connections to its server
 */
record KeySettings(
    String issuer,
    Optional<URI> keys,
    ClientTlsFiles tls,
    long keptMillis,
    long pauseMillis,
    long outageMillis,
    long answerMillisMax,
    long connectMillisMax,
    int headerBytesMax,
    long answerBytesMax) {
  private static final long MILLIS = 1_000;

  static KeySettings of(TokenIssuer issuer, GatewayLimits limits) {
    return new KeySettings(
        issuer.issuer(),
        issuer.keys(),
        issuer.tls(),
        limits.get(Limit.SIGN_ON_KEYS_SECONDS_MAX) * MILLIS,
        limits.get(Limit.SIGN_ON_KEYS_PAUSE_SECONDS) * MILLIS,
        limits.get(Limit.SIGN_ON_KEYS_OUTAGE_SECONDS_MAX) * MILLIS,
        limits.get(Limit.SIGN_ON_KEYS_MILLIS_MAX),
        limits.get(Limit.CONNECT_MILLIS_MAX),
        limits.getInt(Limit.HEADER_BYTES_MAX),
        limits.get(Limit.SIGN_ON_KEYS_BYTES_MAX));
  }

  /** How long it may take to read both documents of an issuer, with the time around them. */
  long readMillisMax() {
    return 2 * (answerMillisMax + MILLIS);
  }

  /** Where an issuer has its metadata by its specification. */
  URI metadata() {
    String root = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
    return URI.create(root + "/.well-known/openid-configuration");
  }
}
