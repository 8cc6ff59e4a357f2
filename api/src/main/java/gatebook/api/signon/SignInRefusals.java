package gatebook.api.signon;

import gatebook.api.gateway.message.TokenVerdict;
import gatebook.command.rules.TokenIssuer;
import gatebook.events.call.Word;
import gatebook.events.fault.Misdirected.Refusal;
import gatebook.events.fault.ServerFault.Cause;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Counts refused sign-ins, by issuer and reason. Both are of closed lists. */
public final class SignInRefusals {
  /** The reasons that are about callers without a signed token. */
  private static final Set<Refusal> OTHERS =
      EnumSet.of(Refusal.TOKEN_MISSING, Refusal.TOKEN_UNKNOWN, Refusal.USER_MISMATCH);

  private final MeterRegistry meters;

  SignInRefusals(MeterRegistry meters) {
    this.meters = meters;
  }

  /** Registers the counters of issuers at zero, so that a watcher sees also the first increment. */
  void register(List<TokenIssuer> issuers) {
    List<Word> reasons =
        Stream.<Word>concat(
                EnumSet.complementOf(EnumSet.copyOf(OTHERS)).stream(),
                Stream.of(Cause.SIGN_ON_KEYS))
            .toList();
    Stream.concat(issuers.stream().map(TokenIssuer::name), Stream.of(TokenIssuer.UNKNOWN))
        .forEach(issuer -> reasons.forEach(reason -> counter(issuer, reason.word())));
    issuers.stream()
        .filter(issuer -> issuer.console().isPresent())
        .forEach(
            issuer -> SignOnRefusal.OF_CONSOLE.forEach(it -> counter(issuer.name(), it.reason())));
  }

  /**
   * Counts a refusal.
   *
   * @param issuer its name in the rules; empty when it is none of them
   * @param reason a word of a closed list
   */
  public void count(Optional<String> issuer, String reason) {
    counter(issuer.orElse(TokenIssuer.UNKNOWN), reason).increment();
  }

  public void count(TokenVerdict.Refused refused) {
    count(refused.issuer(), refused.reason());
  }

  private Counter counter(String issuer, String reason) {
    return Counter.builder("gatebook.sign.in.refusals")
        .description("refused sign-ins with tokens of issuers")
        .tags("issuer", issuer, "reason", reason)
        .register(meters);
  }
}
