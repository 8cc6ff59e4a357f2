package gatebook.api.signon;

import gatebook.events.fault.Misdirected.Refusal;
import gatebook.events.fault.ServerFault.Cause;
import java.util.List;
import java.util.Locale;

/**
 * Why a sign-on at an authorization server is refused.
 *
 * @param reason in the record, the log and the metric: a word of a closed list
 * @param advice which the person is given, who learns no more
 */
public record SignOnRefusal(String reason, Advice advice) {
  /** It took too long, was used before, or began in another browser. */
  public static final SignOnRefusal ATTEMPT_UNKNOWN =
      new SignOnRefusal("attempt-unknown", Advice.ATTEMPT);

  /** The authorization server says no, as when the person refuses. */
  public static final SignOnRefusal DENIED = new SignOnRefusal("denied", Advice.DENIED);

  /** Another authorization server answered than was asked. */
  public static final SignOnRefusal ISSUER_MIXED_UP =
      new SignOnRefusal("issuer-mixed-up", Advice.REFUSED);

  /** The metadata cannot be read, or do not have what a sign-on needs. */
  public static final SignOnRefusal METADATA = new SignOnRefusal("metadata", Advice.UNAVAILABLE);

  /** The file with the secret of the client cannot be read. */
  public static final SignOnRefusal CLIENT_SECRET =
      new SignOnRefusal("client-secret", Advice.UNAVAILABLE);

  /** The token endpoint does not answer, or what it answers cannot be read. */
  public static final SignOnRefusal TOKEN_ENDPOINT =
      new SignOnRefusal("token-endpoint", Advice.UNAVAILABLE);

  /** The token endpoint refuses the code, or the client. */
  public static final SignOnRefusal CODE = new SignOnRefusal("code", Advice.REFUSED);

  public static final SignOnRefusal KEYS_UNAVAILABLE =
      new SignOnRefusal(Cause.SIGN_ON_KEYS.word(), Advice.UNAVAILABLE);

  /** The ID token is of another sign-on. */
  public static final SignOnRefusal NONCE = new SignOnRefusal("nonce", Advice.REFUSED);

  /** The ID token was issued for another client. */
  public static final SignOnRefusal AUTHORIZED_PARTY =
      new SignOnRefusal("authorized-party", Advice.REFUSED);

  /** The person is known, and none of its groups has a role. */
  public static final SignOnRefusal NO_ROLE =
      new SignOnRefusal(Refusal.NOT_PERMITTED.word(), Advice.NO_ROLE);

  public static final SignOnRefusal NOT_RECORDED =
      new SignOnRefusal("not-recorded", Advice.NOT_RECORDED);

  /** The reasons besides those for which tokens of callers are refused. */
  static final List<SignOnRefusal> OF_CONSOLE =
      List.of(
          ATTEMPT_UNKNOWN,
          DENIED,
          ISSUER_MIXED_UP,
          METADATA,
          CLIENT_SECRET,
          TOKEN_ENDPOINT,
          CODE,
          NONCE,
          AUTHORIZED_PARTY,
          NOT_RECORDED);

  /** What the person can do next: each has a sentence in the console. */
  public enum Advice {
    ATTEMPT,
    DENIED,
    UNAVAILABLE,
    NO_ROLE,
    NOT_RECORDED,
    REFUSED;

    /** The word in the address of the console. */
    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** The ID token is not valid. */
  static SignOnRefusal token(Refusal refusal) {
    return new SignOnRefusal(refusal.word(), Advice.REFUSED);
  }
}
