package gatebook.api.cli;

import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a member by which denials are counted. */
final class DenialMember implements ITypeConverter<String> {

  private static final List<String> ALL =
      List.of("gate", "tool", "principal", "reason", "code", "hour");

  @Override
  public String convert(String text) {
    String member = text.strip().toLowerCase(Locale.ROOT);
    if (!ALL.contains(member)) {
      throw new TypeConversionException(
          "'%s' is none of %s".formatted(text, String.join(", ", ALL)));
    }
    return member;
  }
}
