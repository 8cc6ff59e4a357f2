package gatebook.api.gateway.message;

import gatebook.command.redact.Scrubber;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks the correlation id that a caller sends, by which its response and log lines are found. */
public final class CorrelationIds {

  private static final Pattern FORM = Pattern.compile("[A-Za-z0-9._:-]{1,128}");

  private CorrelationIds() {}

  /** The id that the caller sent; empty when it is not fit to be stored, logged and sent back. */
  public static Optional<String> of(@Nullable String sent) {
    return Optional.ofNullable(sent)
        .filter(id -> FORM.matcher(id).matches())
        .filter(id -> !Scrubber.BUILT_IN.looksSecret(id));
  }
}
