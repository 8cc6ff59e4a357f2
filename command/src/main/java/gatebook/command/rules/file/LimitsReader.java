package gatebook.command.rules.file;

import gatebook.command.rules.CallQuota;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Reads the section {@code limits}. Limits that it omits keep their defaults. */
final class LimitsReader {

  private static final String QUOTAS = "quotas";
  private static final List<String> KEYS =
      Stream.concat(Arrays.stream(Limit.values()).map(Limit::key), Stream.of(QUOTAS)).toList();

  private final Optional<StrictMapping> mapping;

  private LimitsReader(Optional<StrictMapping> mapping) {
    this.mapping = mapping;
  }

  /** {@code section} is absent where the file has none. */
  static LimitsReader of(Optional<YamlValue> section) {
    return new LimitsReader(section.flatMap(it -> it.keys(KEYS)));
  }

  GatewayLimits limits() {
    GatewayLimits limits = mapping.map(LimitsReader::limits).orElse(GatewayLimits.DEFAULT);
    mapping.ifPresent(it -> checkParts(it, limits));
    return limits;
  }

  List<CallQuota> quotas(QuotasReader reader) {
    return mapping.flatMap(it -> it.get(QUOTAS)).map(reader::read).orElse(List.of());
  }

  private static GatewayLimits limits(StrictMapping mapping) {
    GatewayLimits limits = GatewayLimits.DEFAULT;
    for (Limit limit : Limit.values()) {
      OptionalLong set =
          mapping
              .get(limit.key())
              .map(it -> it.integer(limit.lowest(), limit.highest()))
              .orElse(OptionalLong.empty());
      limits = limits.with(limit, set.orElse(limit.defaultValue()));
    }
    return limits;
  }

  /** One principal or tree cannot have more than all together. */
  private static void checkParts(StrictMapping mapping, GatewayLimits limits) {
    for (Limit part : Limit.values()) {
      part.whole()
          .filter(whole -> limits.get(part) > limits.get(whole))
          .ifPresent(whole ->
              mapping
                  .get(part.key())
                  .ifPresent(
                      it -> it.mistake("must not be more than '%s'".formatted(whole.key()))));
    }
  }
}
