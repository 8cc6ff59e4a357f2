package gatebook.api.log;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a byte count argument of the command line. */
final class ByteCountArgument implements ITypeConverter<Long> {

  @Override
  public Long convert(String text) {
    try {
      long bytes = Long.parseLong(text);
      if (bytes > 0) {
        return bytes;
      }
    } catch (NumberFormatException _) {
      // reported below
    }
    throw new TypeConversionException("'%s' is not a number of bytes above 0".formatted(text));
  }
}
