package gatebook.command.gateway;

import gatebook.command.rules.file.RulesTexts;

/**
 * Activates rules: from now on they decide.
 *
 * @param engineVersion version of the engine that evaluates their policies
 */
public record ActivateRules(RulesTexts texts, String engineVersion) {}
