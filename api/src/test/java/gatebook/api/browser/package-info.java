/**
 * A real Chromium, driven by WebDriver, for what a page does in the hands of a person. Start with
 * {@link gatebook.api.browser.Chromium}.
 */
@NullMarked
package gatebook.api.browser;

import org.jspecify.annotations.NullMarked;
