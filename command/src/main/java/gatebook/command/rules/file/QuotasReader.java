package gatebook.command.rules.file;

import gatebook.command.rules.CallQuota;
import gatebook.command.rules.CallQuota.Rate;
import gatebook.command.rules.Glob;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads {@code limits.quotas}, which refer to sources. */
final class QuotasReader {
  private static final String HINT = "{name: ci, principals: [\"ci-*\"], calls_per_day: 1000}";
  private static final String RATE = "rate_per_second";
  private static final String BURST = "rate_burst";
  private static final String CONCURRENT = "concurrent_max";
  private static final String PER_DAY = "calls_per_day";

  private final Function<YamlValue, Set<String>> sourceIds;
  private final Set<String> names = new HashSet<>();

  /**
   * @param sourceIds reads ids of sources
   */
  QuotasReader(Function<YamlValue, Set<String>> sourceIds) {
    this.sourceIds = sourceIds;
  }

  List<CallQuota> read(YamlValue yamlValue) {
    List<YamlValue> items = yamlValue.items();
    if (items.size() > CallQuota.QUOTAS_MAX) {
      yamlValue.mistake("must have at most %d items".formatted(CallQuota.QUOTAS_MAX));
      return List.of();
    }
    return items.stream().flatMap(item -> quota(item).stream()).toList();
  }

  private Optional<CallQuota> quota(YamlValue item) {
    return item.keys(
            "name",
            "principals",
            "roles",
            "tools",
            "source",
            "shared",
            RATE,
            BURST,
            CONCURRENT,
            PER_DAY)
        .flatMap(this::quota);
  }

  private Optional<CallQuota> quota(StrictMapping keys) {
    Optional<String> name = keys.require("name", HINT).flatMap(this::name);
    List<Glob> principals = patterns(keys, "principals");
    Set<String> roles =
        keys.get("roles").map(it -> Set.copyOf(notEmpty(it, YamlValue::texts))).orElse(Set.of());
    List<Glob> tools = patterns(keys, "tools");
    Set<String> sources = keys.get("source").map(sourceIds).orElse(Set.of());
    boolean isShared = keys.get("shared").flatMap(YamlValue::bool).orElse(false);
    @Nullable Rate rate = rate(keys);
    @Nullable Long concurrentMax = number(keys, CONCURRENT, CallQuota.CONCURRENT_MOST);
    @Nullable Long callsPerDay = number(keys, PER_DAY, CallQuota.PER_DAY_MOST);
    if (keys.get(RATE).isEmpty() && keys.get(CONCURRENT).isEmpty() && keys.get(PER_DAY).isEmpty()) {
      keys.mistake(
          "limits nothing: give it '%s', '%s' or '%s'".formatted(RATE, CONCURRENT, PER_DAY));
    }
    return name.map(it ->
        new CallQuota(
            it,
            principals,
            roles,
            tools,
            sources,
            isShared,
            rate,
            concurrentMax == null ? null : Math.toIntExact(concurrentMax),
            callsPerDay));
  }

  private Optional<String> name(YamlValue yamlValue) {
    Optional<String> name = yamlValue.label();
    name.filter(it -> !names.add(it))
        .ifPresent(_ -> yamlValue.mistake("is the name of another quota: choose another"));
    return name;
  }

  private static List<Glob> patterns(StrictMapping keys, String key) {
    return keys.get(key).map(it -> notEmpty(it, SourceReader::globs)).orElse(List.of());
  }

  private static <T> List<T> notEmpty(YamlValue yamlValue, Function<YamlValue, List<T>> reading) {
    if (yamlValue.isEmptyList()) {
      yamlValue.mistake("must have at least one item, or be left out for all");
    }
    return reading.apply(yamlValue);
  }

  private static @Nullable Rate rate(StrictMapping keys) {
    @Nullable Long perSecond = number(keys, RATE, CallQuota.PER_SECOND_MAX);
    @Nullable Long burst = number(keys, BURST, CallQuota.PER_SECOND_MAX);
    if (keys.get(RATE).isEmpty()) {
      keys.get(BURST).ifPresent(it -> it.mistake("is of no use without '%s'".formatted(RATE)));
    }
    return perSecond == null ? null : new Rate(perSecond, burst == null ? perSecond : burst);
  }

  private static @Nullable Long number(StrictMapping keys, String key, long most) {
    OptionalLong number = keys.get(key).map(it -> it.integer(1, most)).orElse(OptionalLong.empty());
    return number.isPresent() ? number.getAsLong() : null;
  }
}
