import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { giveContents, giveCourses, updateGivenContent, updateGivenCourse } from '#contract/api/assignments.ts';
import { can } from '#contract/can.ts';
import type { GivenPlace } from '#contract/entities/authored-content.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { useSession } from '#src/access/session.ts';
import { useCan } from '#src/access/use-can.ts';
import { type CallInput, call } from '#src/api/call.ts';
import type { Option } from '#src/api/find.ts';
import type { Result } from '#src/api/transport.ts';
import classes from '#src/screens/authoring/authoring.module.css';
import { Sentences, SureButton } from '#src/screens/authoring/sure-dialog.tsx';
import { takenBackWords } from '#src/screens/authoring/uses-words.ts';
import { countOf } from '#src/lib/format.ts';
import { Form, FormSection } from '#src/screens/form.tsx';
import { MultiPicker, rolesOf, typesOf } from '#src/screens/pickers.tsx';
import { useAction } from '#src/screens/use-action.ts';
import { useForm } from '#src/screens/use-form.ts';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { closeModal, openModal } from '#src/ui/modal/open-modals.ts';

type Kind = 'course' | 'content';
type Props = { kind: Kind; id: string; places: readonly GivenPlace[]; onChange: () => void };
const ids = (chosen: readonly Option[]) => chosen.map(({ id }) => id);

/** Asks which organisations should get it and, for a single one, which job roles and user types there. */
const ShareForm = ({ kind, id, places, onChange, dialog }: Props & { dialog: string }) => {
  const mayRestrict = useCan('content.restrict');
  const fields = useForm({
    schema: kind === 'course' ? giveCourses.body : giveContents.body,
    begin: { entity_ids: [] as readonly Option[], role_ids: [] as readonly Option[], type_ids: [] as readonly Option[] },
    toInput: ({ entity_ids, role_ids, type_ids }) => ({
      ...{ entity_ids: ids(entity_ids), [`${kind}_ids`]: [id] },
      ...(entity_ids.length === 1 && mayRestrict ? { role_ids: ids(role_ids), type_ids: ids(type_ids) } : {}),
    }),
    save: (data): Promise<Result<{ given: number }>> => {
      const body = data as CallInput<'POST /entity-courses'>['body'] & CallInput<'POST /entity-content'>['body'];
      return kind === 'course' ? call('POST /entity-courses', { body }) : call('POST /entity-content', { body });
    },
    success: ({ given }) => `It is shared with ${countOf(given, 'organisation')}.`,
    onSaved: () => {
      closeModal(dialog);
      onChange();
    },
  });
  const { field, values } = fields;
  const [only, ...others] = values.entity_ids;
  const slug = others.length === 0 ? only?.slug : undefined;
  return (
    <Form form={fields} label="Share" save="Share">
      <FormSection>
        <MultiPicker
          from="organisations"
          label="Organisations"
          description="They have it, and everybody below them. They cannot change it."
          required
          except={ids(places)}
          {...field('entity_ids')}
        />
        {slug && mayRestrict && (
          <>
            <MultiPicker label="For job roles" placeholder="Everybody" from={rolesOf(slug)} {...field('role_ids')} />
            <MultiPicker label="For user types" placeholder="Everybody" from={typesOf(slug)} {...field('type_ids')} />
          </>
        )}
      </FormSection>
    </Form>
  );
};

/** Asks who gets a course or a content in one organisation. */
const RestrictForm = ({ kind, id, place, onChange, dialog }: Omit<Props, 'places'> & { place: GivenPlace; dialog: string }) => {
  const { slug } = place;
  const fields = useForm({
    schema: kind === 'course' ? updateGivenCourse.body : updateGivenContent.body,
    begin: { role_ids: place.roles as readonly Option[], type_ids: place.types as readonly Option[] },
    toInput: ({ role_ids, type_ids }) => ({ role_ids: ids(role_ids), type_ids: ids(type_ids) }),
    save: (body): Promise<Result<unknown>> =>
      kind === 'course'
        ? call('PATCH /entities/{slug}/courses/{courseId}', { params: { slug, courseId: id }, body })
        : call('PATCH /entities/{slug}/content/{contentId}', { params: { slug, contentId: id }, body }),
    success: texts.successfullyUpdated,
    onSaved: () => {
      closeModal(dialog);
      onChange();
    },
  });
  const { field } = fields;
  return (
    <Form form={fields} label="Restrict" save="Save">
      <FormSection>
        <p style={{ margin: 0 }}>Only people with one of these can begin it. People whose job role requires it can in any case.</p>
        <MultiPicker label="For job roles" placeholder="Everybody" from={rolesOf(slug)} {...field('role_ids')} />
        <MultiPicker label="For user types" placeholder="Everybody" from={typesOf(slug)} {...field('type_ids')} />
      </FormSection>
    </Form>
  );
};

const forWhom = ({ roles, types }: GivenPlace) =>
  roles.length + types.length === 0 ? 'Everybody there and below' : [...roles, ...types].map(({ name }) => name).join(', ');
const howMany = ({ people_in_it: now, people_required: required }: GivenPlace) =>
  [now > 0 && `${countOf(now, 'person', 'people')} in it`, required > 0 && `required of ${countOf(required, 'person', 'people')}`]
    .filter(Boolean)
    .join(', ');

const Place = ({ kind, id, place, may, onChange }: Omit<Props, 'places'> & { place: GivenPlace; may: boolean }) => {
  const { slug, name, own } = place;
  const dialog = `take-back-${kind}-${slug}`;
  const action = useAction(
    (): Promise<Result<unknown>> =>
      kind === 'course'
        ? call('DELETE /entities/{slug}/courses/{courseId}', { params: { slug, courseId: id } })
        : call('DELETE /entities/{slug}/content/{contentId}', { params: { slug, contentId: id } }),
    {
      success: texts.successfullyUpdated,
      onDone: () => {
        closeModal(dialog);
        onChange();
      },
    },
  );
  const people = howMany(place);
  const mayRestrict = useCan('content.restrict');
  const restricting = `restrict-${kind}-${slug}`;
  return (
    <li className={`${layout.stack} ${layout.tight} ${classes.place}`}>
      {may ? (
        <Link to={`${pathTo('entities-one-courses', { slug })}${kind === 'content' ? '?filter=content' : ''}`}>{name}</Link>
      ) : (
        <span>{name}</span>
      )}
      <span className={shapes.muted}>{forWhom(place)}</span>
      {people && <span className={shapes.muted}>{people}</span>}
      {may && mayRestrict && (
        <>
          <Button variant="subtle" onClick={() => openModal(restricting)} aria-label={`Restrict it in ${name} …`}>
            Restrict …
          </Button>
          <RegisteredModal name={restricting} title={`For whom in ${name}?`}>
            {() => <RestrictForm kind={kind} id={id} place={place} onChange={onChange} dialog={restricting} />}
          </RegisteredModal>
        </>
      )}
      {may && !(own && kind === 'course') && (
        <SureButton
          dialog={dialog}
          label={`Take it back from ${name} …`}
          title={`Take it back from ${name}?`}
          sure="Take it back"
          busy={action.busy}
          onSure={() => void action.run()}
        >
          <Sentences words={takenBackWords(place)} />
        </SureButton>
      )}
    </li>
  );
};

/** The organisations to which a course or a content was assigned; people with the permission can add and remove them. */
export const Places = (props: Props) => {
  const { kind, places, id, onChange } = props;
  const user = useSession();
  const may = can(user, kind === 'course' ? 'entity.courses' : 'entity.content');
  const dialog = `share-${kind}`;
  return (
    <div>
      <h3 className={classes.kindTitle}>{kind === 'course' ? 'Offered in' : 'Given by itself to'}</h3>
      {places.length === 0 ? (
        <p className={shapes.muted}>{kind === 'course' ? 'No organisation that you see.' : 'No organisation. People have it with its course.'}</p>
      ) : (
        <ul className={layout.list}>
          {places.map((place) => (
            <Place key={place.id} kind={kind} id={id} place={place} may={may} onChange={onChange} />
          ))}
        </ul>
      )}
      {may && (
        <>
          <Button variant="default" mt="sm" onClick={() => openModal(dialog)}>
            {kind === 'course' ? 'Share the course …' : 'Share this content …'}
          </Button>
          <RegisteredModal name={dialog} title={kind === 'course' ? 'Share this course' : 'Share this content'}>
            {() => <ShareForm {...props} dialog={dialog} />}
          </RegisteredModal>
        </>
      )}
    </div>
  );
};
