import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { z } from 'zod';
import {
  fieldsOf,
  labelOfPath,
  metaOf,
  SECTION_NAMES,
  SECTIONS,
  type SectionName,
  type ShopSettings,
} from '#contract/settings/sections.schema.ts';
import type { SettingsSection } from '#contract/settings/settings.schema.ts';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { Integrations } from '#web/admin/integrations/integrations.tsx';
import { useMay } from '#web/admin/office/office-context.ts';
import { OpeningList } from '#web/admin/opening/opening-list.tsx';
import { UnsavedGuard } from '#web/admin/unsaved-guard.tsx';
import { useProof } from '#web/parts/use-proof.tsx';
import { useAppDispatch } from '#web/state/store.ts';
import { failureOf, request } from '#web/state/thunk.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Select } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import type { FieldErrors } from '#web/ui/form/rules.ts';
import { useForm } from '#web/ui/form/use-form.ts';
import { Link } from '#web/ui/link.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Guide } from './guide.tsx';
import { History, savedText } from './history.tsx';
import { MailPreview } from './mail-preview.tsx';
import { PictureField } from './picture-field.tsx';
import { Preview } from './preview.tsx';
import { type Row, RowsField } from './rows-field.tsx';
import { SettingControl } from './setting-control.tsx';
import { TextField } from './text-field.tsx';
import { TextPreview } from './text-preview.tsx';
import { useSavedLook } from './use-saved-look.ts';

/** A section as typed: text, and rows of text. */
type TypedSection = Record<string, string | Row[]>;

const rowTexts = (values: Record<string, unknown>): Row =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value ?? '')]));

const typedSection = (values: SettingsSection['values']): TypedSection =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, Array.isArray(value) ? value.map(rowTexts) : String(value ?? '')]),
  );

/** The sections that show at the head or the foot of every page. */
const PREVIEWED: ReadonlySet<SectionName> = new Set(['shop', 'company', 'contact', 'delivery']);

interface SectionFormProps {
  section: SectionName;
  loaded: SettingsSection;
  onSaved: (saved: SettingsSection) => void;
  reload: () => Promise<void>;
}

/** An error in the form's summary, with the names of its list and row: `Calendar, days 2: First day is required`. */
function errorTextOf(section: SectionName, path: string, text: string): string {
  const labels = labelOfPath(section, path);
  const fieldLabel = labels.at(-1);
  const namesField = fieldLabel && text.startsWith(fieldLabel);
  const missing = namesField ? labels.slice(0, -1) : labels;
  return missing.length > 0 ? `${missing.join(', ')}: ${text}` : text;
}

/** The typed values, and sending them. After a 409 the newer version is loaded, so that saving again keeps what was typed. */
function useSectionForm({ section, loaded, onSaved, reload }: SectionFormProps) {
  const dispatch = useAppDispatch();
  const { prove, proofDialog } = useProof();
  const showSaved = useSavedLook();
  const [fields, setFields] = useState(() => typedSection(loaded.values));
  const [isChanged, setIsChanged] = useState(false);
  const [isStale, setIsStale] = useState(false);
  const change = (changes: TypedSection) => {
    setFields((before) => ({ ...before, ...changes }));
    setIsChanged(true);
  };
  const fill = (values: SettingsSection['values'], isSaved: boolean) => {
    setFields(typedSection(values));
    setIsChanged(!isSaved);
    setIsStale(false);
  };
  const form = useForm<TypedSection>({
    fields,
    change: change as (changes: Partial<TypedSection>) => void,
    schema: async () => SECTIONS[section].schema,
    async send(values) {
      setIsStale(false);
      try {
        const body = { version: loaded.version, values };
        const saved = await prove(() => dispatch(request('PUT /api/settings/:section', { params: { section }, body })));
        fill(saved.values, true);
        showSaved(section, saved.values);
        onSaved(saved);
        return undefined;
      } catch (error) {
        const failure = failureOf(error);
        if (failure.status === 409) {
          await reload();
          setIsStale(true);
        }
        return failure;
      }
    },
  });
  return { form, fields, change, fill, isChanged, isStale, proofDialog };
}

const groupsOf = (section: SectionName): string[] => [
  ...new Set(Object.values(fieldsOf(section)).flatMap((schema) => metaOf(schema).group ?? [])),
];

/** The shown group of fields; undefined in a section without groups. If only hidden groups have errors, the first of them is shown. */
function useGroup(section: SectionName, errors: FieldErrors) {
  const [group, setGroup] = useState(groupsOf(section)[0]);
  const fields = fieldsOf(section);
  const wrongGroups = Object.keys(errors).flatMap((name) => (fields[name] ? [metaOf(fields[name]).group] : []));
  const [firstWrong] = wrongGroups;
  const isErrorHidden = firstWrong !== undefined && !wrongGroups.includes(group);
  useEffect(() => {
    if (isErrorHidden) setGroup(firstWrong);
  }, [isErrorHidden, firstWrong]);
  return [group, setGroup] as const;
}

function SectionForm(props: SectionFormProps) {
  const { section, loaded } = props;
  const { form, fields, change, fill, isChanged, isStale, proofDialog } = useSectionForm(props);
  const mayChange = useMay('change settings');
  const [latest] = loaded.history;
  const [group, chooseGroup] = useGroup(section, form.errors);
  const shownFields = Object.entries(fieldsOf(section)).filter(([, schema]) => metaOf(schema).group === group);
  const controls = shownFields.map(([name, schema]) => {
    const { label, hint, type, picture, placeholders } = metaOf(schema);
    if (schema instanceof z.ZodArray) {
      const rows = fields[name] as Row[];
      return (
        <RowsField
          key={name}
          section={section}
          name={name}
          schema={schema as z.ZodArray<z.ZodObject>}
          rows={rows}
          errors={form.errors}
          onChange={(next) => change({ [name]: next })}
        />
      );
    }
    const bound = form.bind(name as never);
    if (picture)
      return (
        <PictureField
          key={name}
          section={section}
          label={label}
          hint={hint}
          rule={picture}
          {...bound}
          onPicked={(url) => change({ [name]: url })}
        />
      );
    if (placeholders && type === 'markdown')
      return <TextField key={name} section={section} schema={schema} {...bound} onFillIn={(text) => change({ [name]: text })} />;
    return <SettingControl key={name} schema={schema} {...bound} />;
  });
  const goBack = ({ values }: SettingsSection['history'][number]) => {
    fill(values, false);
    window.scrollTo({ top: 0 });
  };
  return (
    <>
      {proofDialog}
      <UnsavedGuard isChanged={isChanged} />
      <div className="grid items-start gap-10 xl:grid-cols-[minmax(0,36rem)_minmax(0,1fr)]">
        <Form form={form} className="grid gap-5" errorText={(name, text) => errorTextOf(section, name, text)}>
          {isStale && (
            <div className="grid justify-items-start gap-3">
              <p>Save again to keep what you wrote, or load what is saved.</p>
              <Button look="secondary" onClick={() => fill(loaded.values, true)}>
                Load the saved values
              </Button>
            </div>
          )}
          {form.done && !isChanged && <Alert tone="good">{section === 'staff' ? 'Saved.' : 'Saved. Customers see it now.'}</Alert>}
          {/* Only the emails have groups: one for each email. */}
          {group && (
            <Select
              label="Email"
              name="group"
              required
              options={groupsOf(section)}
              value={group}
              onChange={({ target }) => chooseGroup(target.value)}
            />
          )}
          <fieldset disabled={!mayChange} className="contents">
            {controls}
          </fieldset>
          <div className="flex flex-wrap items-center gap-4">
            {mayChange && (
              <Button type="submit" pending={form.pending}>
                Save
              </Button>
            )}
            {isChanged ? (
              <p className="text-sm text-soft">You have unsaved changes.</p>
            ) : (
              latest?.at && <p className="text-sm text-soft">{savedText(latest)}</p>
            )}
          </div>
        </Form>
        {section === 'mails' && <MailPreview group={group ?? ''} values={fields} />}
        {section === 'policies' && <TextPreview section={section} values={fields} />}
        {PREVIEWED.has(section) && <Preview section={section} values={fields as unknown as ShopSettings[SectionName]} />}
      </div>
      <History section={section} history={loaded.history} onGoBack={mayChange ? goBack : undefined} />
    </>
  );
}

function Section({ section }: { section: SectionName }) {
  const { value, error, reload, replace } = useLoaded('GET /api/settings/:section', { params: { section } });
  return (
    <>
      <p className="mb-6 max-w-prose text-soft">{SECTIONS[section].about}</p>
      {error && <Alert>{error}</Alert>}
      {!value && !error && <Skeleton label="Loading the settings" />}
      {value && <SectionForm section={section} loaded={value} onSaved={replace} reload={reload} />}
    </>
  );
}

const [OPENING, INTEGRATIONS, GUIDE] = ['opening', 'integrations', 'guide'];

/** The sections of the settings, and three other tabs. Without the right of a tab it is not offered. */
const TABS: readonly { name: string; title: string; right?: 'change settings' | 'manage staff' }[] = [
  { name: OPENING, title: 'Before you open', right: 'change settings' },
  ...SECTION_NAMES.map((name) => ({ name, title: SECTIONS[name].title })),
  { name: INTEGRATIONS, title: 'Keys and webhooks', right: 'manage staff' },
  { name: GUIDE, title: 'Guide' },
];

/** The owner's settings, one tab for each section. */
export function Component() {
  const [search] = useSearchParams();
  const may = { 'change settings': useMay('change settings'), 'manage staff': useMay('manage staff') };
  const tabs = TABS.filter(({ right }) => !right || may[right]);
  const tab = tabs.find(({ name }) => name === search.get('section'))?.name ?? tabs[0]?.name;
  const section = SECTION_NAMES.find((name) => name === tab);
  return (
    <AdminFrame title="Shop settings" changes={section && 'change settings'} back="/admin/orderlist">
      <nav aria-label="Settings" className="mb-6">
        <ul className="flex flex-wrap gap-2">
          {tabs.map(({ name, title }) => (
            <li key={name}>
              <Link
                to={`/admin/settings?section=${name}`}
                aria-current={name === tab ? 'page' : undefined}
                className="inline-flex min-h-11 items-center rounded-soft border border-edge px-3 aria-[current]:border-accent aria-[current]:bg-accent aria-[current]:text-paper"
              >
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {section && <Section key={section} section={section} />}
      {tab === OPENING && <OpeningList />}
      {tab === INTEGRATIONS && <Integrations />}
      {tab === GUIDE && <Guide name={search.get('page') ?? ''} />}
    </AdminFrame>
  );
}
