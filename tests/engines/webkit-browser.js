/**
 * WebKitGTK with a profile on the disk, for its WebDriver. MiniBrowser, which Debian ships for that, keeps nothing of an
 * automated session, and a browser that was closed could not be opened again. Runs in gjs; `ENGINE_PROFILE` is the folder,
 * `ENGINE_FEATURES` the names of WebKit's features to switch on beside its own, `ENGINE_SIZE` the size of the window.
 */
imports.gi.versions.Gtk = '3.0';
imports.gi.versions.WebKit2 = '4.1';
const { GLib, Gtk, WebKit2 } = imports.gi;

Gtk.init(null);
const folder = GLib.getenv('ENGINE_PROFILE');
const wanted = (GLib.getenv('ENGINE_FEATURES') ?? '').split(',').filter(Boolean);
const [width, height] = GLib.getenv('ENGINE_SIZE').split('x').map(Number);

const data = new WebKit2.WebsiteDataManager({ base_data_directory: `${folder}/data`, base_cache_directory: `${folder}/cache` });
data.get_cookie_manager().set_persistent_storage(`${folder}/cookies.sqlite`, WebKit2.CookiePersistentStorage.SQLITE);
const context = new WebKit2.WebContext({ website_data_manager: data });
context.set_automation_allowed(true);

const settings = new WebKit2.Settings();
const features = WebKit2.Settings.get_all_features();
for (let i = 0; i < features.get_length(); i++) {
  const feature = features.get(i);
  if (wanted.includes(feature.get_identifier())) settings.set_feature_enabled(feature, true);
}

context.connect('automation-started', (_, session) => {
  const info = new WebKit2.ApplicationInfo();
  info.set_name('WebKitGTK');
  info.set_version(WebKit2.get_major_version(), WebKit2.get_minor_version(), WebKit2.get_micro_version());
  session.set_application_info(info);
  session.connect('create-web-view', () => {
    const view = new WebKit2.WebView({ web_context: context, is_controlled_by_automation: true, settings });
    const window = new Gtk.Window({ default_width: width, default_height: height });
    window.add(view);
    window.show_all();
    return view;
  });
});
Gtk.main();
