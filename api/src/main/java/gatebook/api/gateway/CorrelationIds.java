package gatebook.api.gateway;

import gatebook.command.redact.Scrubber;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The id that a caller gives a message, by which its answer and its log lines are found. */
public final class CorrelationIds {

  private static final Pattern FORM = Pattern.compile("[A-Za-z0-9._:-]{1,128}");

  private CorrelationIds() {}

  /** What the caller sent; empty when it is not fit to be kept, logged and sent back. */
  public static Optional<String> of(@Nullable String sent) {
    return Optional.ofNullable(sent)
        .filter(id -> FORM.matcher(id).matches())
        .filter(id -> !Scrubber.BUILT_IN.looksSecret(id));
  }
}
