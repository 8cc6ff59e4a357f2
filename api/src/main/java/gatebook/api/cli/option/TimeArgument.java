package gatebook.api.cli.option;

import gatebook.api.rpc.TimeText;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a time argument: a full time, or how long ago it was. */
public final class TimeArgument implements ITypeConverter<Instant> {

  public static final String FORMS = "a time as in 2026-01-02T03:04:05Z, or how long ago as in 2h";

  private static final Pattern AGO = Pattern.compile("(\\d{1,5})([smhdw])");

  @Override
  public Instant convert(String text) {
    return read(text, Instant.now())
        .orElseThrow(() -> new TypeConversionException("'%s' is not %s".formatted(text, FORMS)));
  }

  /** Empty when the text is not a time. */
  public static Optional<Instant> read(String text, Instant now) {
    Matcher ago = AGO.matcher(text);
    return ago.matches()
        ? Optional.of(now.minus(unit(ago.group(2)).multipliedBy(Integer.parseInt(ago.group(1)))))
        : TimeText.parse(text);
  }

  private static Duration unit(String letter) {
    return switch (letter) {
      case "s" -> Duration.ofSeconds(1);
      case "m" -> Duration.ofMinutes(1);
      case "h" -> Duration.ofHours(1);
      case "d" -> Duration.ofDays(1);
      default -> Duration.ofDays(7);
    };
  }
}
